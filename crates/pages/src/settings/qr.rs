//! QR codes.

use std::fmt::Write;

use qrcodegen::{QrCode, QrCodeEcc};

use crate::format::Html;

/// Modules of white around the code; cameras do not find it without them.
const MARGIN: i32 = 4;

/// `label` is our own text. `None` if the text is too long for a QR code.
pub fn picture(text: &str, label: &str) -> Option<Html> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let side = code.size() + 2 * MARGIN;
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
            let _ = write!(path, "M{} {}h1v1h-1z", x + MARGIN, y + MARGIN);
        }
    }
    Some(Html(format!(
        "<svg viewBox=\"0 0 {side} {side}\" role=\"img\" aria-label=\"{label}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#000\" d=\"{path}\"/></svg>"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_qr_code_has_three_corners_and_a_margin() {
        // "A" fits the smallest code: 21 modules, 29 with the margin. Each corner begins with a row of seven.
        let svg = picture("A", "code").unwrap().0;
        assert!(svg.contains("viewBox=\"0 0 29 29\""), "{svg}");
        for (left, top) in [(4, 4), (18, 4), (4, 18)] {
            for x in left..left + 7 {
                assert!(svg.contains(&format!("M{x} {top}h1v1h-1z")), "{x} {top}");
            }
        }
        assert!(!svg.contains("M3 ") && !svg.contains("M25 "));
        assert!(picture(&"x".repeat(5_000), "code").is_none());
    }
}
