//! Sentences of the description as markup: text in backticks becomes code.

use crate::format::Html;

pub fn html(text: &str) -> Html {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let mut html = String::new();
    for (place, part) in escaped.split('`').enumerate() {
        match place % 2 {
            0 => html.push_str(part),
            _ => html.push_str(&format!("<code>{part}</code>")),
        }
    }
    Html(html)
}

#[cfg(test)]
mod tests {
    use super::html;

    #[test]
    fn code_is_marked_up_and_everything_else_is_escaped() {
        assert_eq!(html("Use `a<b>` & \"c\".").0, "Use <code>a&lt;b&gt;</code> &amp; &quot;c&quot;.");
    }
}
