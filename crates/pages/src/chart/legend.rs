//! What the colours and line styles of a chart mean, as a list next to it.

use super::svg::escape;

/// Pairs of a mark's class and its name.
pub fn legend(entries: &[(&str, &str)]) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let entry = |(class, name): &(&str, &str)| {
        let (class, name) = (escape(class), escape(name));
        format!(
            r#"<li><svg class="key" viewBox="0 0 12 12" aria-hidden="true"><rect class="bar part {class}" x="1" y="1" width="10" height="10" rx="2"/></svg>{name}</li>"#
        )
    };
    format!(r#"<ul class="legend">{}</ul>"#, entries.iter().map(entry).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_entry_has_a_key_of_its_class_and_its_name_as_text() {
        let list = legend(&[("s1", "2025"), ("s2", "<2026>")]);
        assert!(
            list.contains(r#"class="bar part s1""#)
                && list.contains("</svg>2025</li>")
                && list.contains("</svg>&lt;2026&gt;</li>")
        );
    }
}
