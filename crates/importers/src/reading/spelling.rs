//! Makes words of files in many languages comparable.

use encoding_rs::WINDOWS_1252;

/// Lowercase, without accents, with single spaces.
pub fn folded(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for word in repaired(text).split_whitespace() {
        if !plain.is_empty() {
            plain.push(' ');
        }
        for letter in word.chars().flat_map(char::to_lowercase) {
            match without_accent(letter) {
                Some(letters) => plain.push_str(letters),
                None => plain.push(letter),
            }
        }
    }
    plain
}

/// Repairs text that was decoded wrongly and saved again (`CrÃ©dito`).
fn repaired(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    match WINDOWS_1252.encode(text) {
        (bytes, _, false) => String::from_utf8(bytes.into_owned()).unwrap_or_else(|_| text.to_owned()),
        _ => text.to_owned(),
    }
}

/// Text for people to read, within the maximum length of a name or note.
pub fn label(text: &str) -> Option<String> {
    const LETTERS_MAX: usize = 200;
    let words: Vec<&str> = text.split(|letter: char| letter.is_whitespace() || letter.is_control()).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let label: String = repaired(&words.join(" ")).chars().filter(|letter| !letter.is_control()).take(LETTERS_MAX).collect();
    (!label.is_empty()).then_some(label)
}

/// For a lowercase letter; `None` if it has no accent.
pub fn without_accent(letter: char) -> Option<&'static str> {
    Some(match letter {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' | 'ą' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'č' => "c",
        'ď' => "d",
        'é' | 'è' | 'ê' | 'ë' | 'ę' | 'ě' => "e",
        'í' | 'ì' | 'î' | 'ï' => "i",
        'ł' => "l",
        'ñ' | 'ń' | 'ň' => "n",
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' | 'ő' => "o",
        'œ' => "oe",
        'ř' => "r",
        'ś' | 'š' => "s",
        'ß' => "ss",
        'ť' => "t",
        'ú' | 'ù' | 'û' | 'ü' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        '’' | '‘' | '`' => "'",
        '\u{300}'..='\u{36f}' => "",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_compared_without_case_accents_and_spaces() {
        assert_eq!(folded("  Impôts\u{a0}sur  DIVIDENDE "), "impots sur dividende");
        assert_eq!(folded("CrÃ©dito de divisa"), "credito de divisa");
        assert_eq!(folded("Änderung Größe"), "anderung grosse");
        assert_eq!(folded("u\u{308}ber"), "uber");
        assert_eq!(label(" A\u{7}B\n C ").as_deref(), Some("A B C"));
        assert_eq!(label(" "), None);
    }
}
