//! Folds texts to one spelling: accents dropped, lowercase, ligatures and national letters spelled out.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A symbol: folded, with its punctuation (`BRK-B` and `BRK.B` differ) and single spaces.
pub fn symbol(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for part in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        fold(part, |letter| folded.push(letter));
    }
    folded
}

/// A name: folded words separated by single spaces. Punctuation separates words (`Coca-Cola` is two), apostrophes do not.
pub fn name(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut parted = false;
    fold(text, |letter| match letter {
        '\'' | '’' | 'ʼ' | '`' => {}
        _ if letter.is_alphanumeric() => {
            if parted && !folded.is_empty() {
                folded.push(' ');
            }
            parted = false;
            folded.push(letter);
        }
        _ => parted = true,
    });
    folded
}

fn fold(text: &str, mut emit: impl FnMut(char)) {
    if text.is_ascii() {
        text.chars().for_each(|letter| emit(letter.to_ascii_lowercase()));
        return;
    }
    // A trade mark sign would decompose to the letters TM and become part of the previous word.
    let letters = text.chars().map(|letter| if matches!(letter, '™' | '℠') { ' ' } else { letter });
    for letter in letters.nfkd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase) {
        match spelled_out(letter) {
            Some(spelling) => spelling.chars().for_each(&mut emit),
            None => emit(letter),
        }
    }
}

/// Letters that do not decompose, as people type them on a keyboard without them.
fn spelled_out(letter: char) -> Option<&'static str> {
    Some(match letter {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ħ' => "h",
        'ı' => "i",
        'ŧ' => "t",
        'ς' => "σ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_case_and_national_letters_fold_to_plain_ascii() {
        for (text, folded) in [
            ("Nestlé", "nestle"),
            ("L’ORÉAL", "loreal"),
            ("Ørsted", "orsted"),
            ("Münchener Rück", "munchener ruck"),
            ("Weiß AG", "weiss ag"),
            ("WEIẞ", "weiss"),
            ("Ærø Œuvre", "aero oeuvre"),
            ("Łódź", "lodz"),
            ("İş Bankası", "is bankasi"),
            ("ﬁnance", "finance"),
            ("ＡＢＣ", "abc"),
            ("ΟΔΟΣ", "οδοσ"),
            ("Acme™ Inc", "acme inc"),
        ] {
            assert_eq!(name(text), folded, "{text}");
        }
    }

    #[test]
    fn punctuation_separates_words_and_apostrophes_do_not() {
        assert_eq!(name("  Coca-Cola Company (The) "), "coca cola company the");
        assert_eq!(name("AT&T, Inc."), "at t inc");
        assert_eq!(name("McDonald's"), "mcdonalds");
        assert_eq!(name("&-.'"), "");
    }

    #[test]
    fn symbols_keep_their_punctuation() {
        assert_eq!(symbol(" BRK-B "), "brk-b");
        assert_eq!(symbol("^Gspc"), "^gspc");
        assert_eq!(symbol("A\n B"), "a b");
        assert_eq!(symbol(" \t"), "");
    }
}
