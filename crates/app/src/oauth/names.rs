//! Names that apps give themselves, made safe to show.

const CHARS_MAX: usize = 80;

/// Without control characters or characters that reverse or hide text, with single spaces, and cut if too long for the page.
pub fn shown_name(name: &str) -> String {
    let visible: String = name.chars().map(|letter| if letter.is_whitespace() { ' ' } else { letter }).filter(is_shown).collect();
    let joined = visible.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let shown = match joined.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", &joined[..end].trim_end()),
        None => joined,
    };
    if shown.chars().any(char::is_alphanumeric) { shown } else { String::new() }
}

fn is_shown(letter: &char) -> bool {
    let hides = matches!(letter,
        '\u{ad}' | '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}');
    !letter.is_control() && !hides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_reverse_or_hide_text_are_removed() {
        assert_eq!(shown_name(" My\u{202e}App\u{200b}\r\n two  "), "MyApp two");
        assert_eq!(shown_name("<script>"), "<script>");
        assert_eq!(shown_name("\u{200f}\u{7}"), "");
        assert_eq!(shown_name("\u{3164}\u{2800} —"), "");
        assert_eq!(shown_name(&format!("{}App", "-".repeat(80))), "", "nobody would see what it is called");
    }

    #[test]
    fn a_long_name_is_cut_at_eighty_characters() {
        assert_eq!(shown_name(&"ä".repeat(80)), "ä".repeat(80));
        assert_eq!(shown_name(&"ä".repeat(81)), format!("{}…", "ä".repeat(80)));
    }
}
