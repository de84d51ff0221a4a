//! The key by which names are compared and kept unique. Computed here and never in SQL, because the engines fold case
//! differently.

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Two texts are the same name if and only if their keys are equal. Surrounding spaces, case and the encoding of accents are
/// ignored; accents themselves are not.
pub fn key(text: &str) -> String {
    // Decomposed first, as Unicode defines canonical caseless matching; composed at the end, for a shorter text.
    text.trim().chars().nfd().default_case_fold().nfc().collect()
}

/// The key by which texts are searched: accents are ignored, too.
pub fn search_key(text: &str) -> String {
    text.trim().chars().nfd().default_case_fold().nfd().filter(|letter| !is_combining_mark(*letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::{key, search_key};

    #[test]
    fn a_search_ignores_accents() {
        for (one, other) in [("Énergie", "ENERGIE"), ("energi\u{301}a", "energía"), ("İş", "is"), ("Straße", "STRASSE")] {
            assert_eq!(search_key(one), search_key(other), "{one} {other}");
        }
        assert_ne!(search_key("ola"), search_key("ole"));
    }

    #[test]
    fn names_that_differ_only_in_case_or_encoding_have_the_same_key() {
        for (one, other) in [
            ("É", "é"),
            ("e\u{301}", "É"),
            ("Straße", "STRASSE"),
            ("Straße", "STRAẞE"),
            ("ΟΔΟΣ", "οδος"),
            ("ΟΔΟΣ", "οδοσ"),
            ("\u{212A}", "k"),
            ("\u{212B}", "å"),
            ("İ", "i\u{307}"),
            (" Main\u{a0}", "MAIN"),
            ("\u{1F80}", "\u{1F00}\u{345}"),
        ] {
            assert_eq!(key(one), key(other), "{one} {other}");
        }
    }

    #[test]
    fn accents_and_dots_make_different_names() {
        for (one, other) in [("é", "e"), ("İ", "i"), ("ı", "i"), ("ß", "s"), ("a b", "ab")] {
            assert_ne!(key(one), key(other), "{one} {other}");
        }
    }

    #[test]
    fn the_key_of_a_key_is_the_key() {
        for text in ["É", "ß", "İ", "ς", "\u{212A}", "ǰ", "ŉ", "ﬃ", "\u{1F80}", "\u{345}", " x "] {
            assert_eq!(key(&key(text)), key(text), "{text}");
        }
    }
}
