//! SVG elements. Lengths are whole tenths of a unit, so that nothing is rounded twice.

/// `Tenths(125)` is written `12.5`.
pub type Tenths = i64;

pub fn length(tenths: Tenths) -> String {
    let (sign, size) = (if tenths < 0 { "-" } else { "" }, tenths.abs());
    match size % 10 {
        0 => format!("{sign}{}", size / 10),
        tenth => format!("{sign}{}.{tenth}", size / 10),
    }
}

pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            _ => safe.push(letter),
        }
    }
    safe
}

pub struct Canvas {
    pub kind: &'static str,
    pub width: Tenths,
    pub height: Tenths,
    /// Whether the stylesheet may stretch it: only if it has no round shapes and no text.
    pub stretches: bool,
}

/// The complete chart: for screen readers one image with the caption as its name.
pub fn picture(id: &str, canvas: &Canvas, caption: &str, body: &str) -> String {
    let (id, caption, kind) = (escape(id), escape(caption), canvas.kind);
    let (width, height) = (length(canvas.width), length(canvas.height));
    let shape = if canvas.stretches { r#" preserveAspectRatio="none""# } else { "" };
    format!(
        r#"<svg class="plot {kind}" id="{id}" viewBox="0 0 {width} {height}"{shape} role="img" aria-labelledby="{id}-title"><title id="{id}-title">{caption}</title>{body}</svg>"#
    )
}

pub fn rect(class: &str, (x, y): (Tenths, Tenths), (width, height): (Tenths, Tenths), round: Tenths) -> String {
    let class = class.trim_end();
    let corner = if round > 0 { format!(r#" rx="{}""#, length(round)) } else { String::new() };
    let (x, y, width, height) = (length(x), length(y), length(width), length(height));
    format!(r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"{corner}/>"#)
}

pub fn line(class: &str, (x1, y1): (Tenths, Tenths), (x2, y2): (Tenths, Tenths)) -> String {
    let (x1, y1, x2, y2) = (length(x1), length(y1), length(x2), length(y2));
    format!(r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#)
}

/// `anchor` is `start`, `middle` or `end`.
pub fn text(class: &str, (x, y): (Tenths, Tenths), anchor: &str, words: &str) -> String {
    let (x, y, words) = (length(x), length(y), escape(words));
    format!(r#"<text class="{class}" x="{x}" y="{y}" text-anchor="{anchor}">{words}</text>"#)
}

/// Shapes that share one tooltip.
pub fn mark(title: &str, shapes: &str) -> String {
    format!(r#"<g class="mark"><title>{}</title>{shapes}</g>"#, escape(title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_shows_its_tenth_only_when_there_is_one() {
        assert_eq!([length(125), length(120), length(-5), length(0)], ["12.5", "12", "-0.5", "0"]);
    }

    #[test]
    fn text_is_escaped_everywhere_in_the_svg() {
        let hostile = r#"<b a="1" c='2'>&"#;
        let safe = "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;";
        assert_eq!(escape(hostile), safe);
        assert!(text("tick", (0, 0), "start", hostile).contains(&format!(">{safe}</text>")));
        assert!(mark(hostile, "").contains(&format!("<title>{safe}</title>")));
        let whole = picture(hostile, &Canvas { kind: "bars", width: 10, height: 10, stretches: false }, hostile, "");
        assert!(whole.contains(&format!(r#"id="{safe}-title">{safe}</title>"#)) && !whole.contains("<b"), "{whole}");
    }
}
