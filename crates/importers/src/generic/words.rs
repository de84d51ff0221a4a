//! Words for the types of rows, in the same languages as column titles.

use super::mapping::Meaning;
use super::names::plain;
use super::text;
use crate::reading::Words;

static TYPES: Words = Words::new(include_str!("types.txt"));

/// What the word means by itself, with or without an addition: `Buy`, `BUY - MARKET`, `Dividend (Ordinary)`, `Split 4:1`.
pub fn meaning(word: &str) -> Option<Meaning> {
    let front = word.split(['(', ':', '/', ',']).next().unwrap_or(word);
    let front = front.split(" - ").next().unwrap_or(front);
    let before_figures = word.split(|letter: char| letter.is_ascii_digit()).next().unwrap_or(word);
    [word, front, before_figures].iter().find_map(|word| known(&plain(word)))
}

/// Whether the word means that several old shares become a new one.
pub fn is_reverse(word: &str) -> bool {
    TYPES.has("reverse", &plain(word))
}

fn known(word: &str) -> Option<Meaning> {
    TYPES.meaning(word).and_then(text::meaning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ledger::Kind;

    #[test]
    fn transaction_types_are_recognised_with_trailing_text() {
        for (word, kind) in [
            ("BUY - MARKET", Kind::Buy),
            ("Kauf", Kind::Buy),
            ("Dividend (Ordinary)", Kind::Dividend),
            ("Ausschüttung", Kind::Dividend),
            ("Transfer In", Kind::TransferIn),
            ("transfer_out", Kind::TransferOut),
            ("RETURN OF CAPITAL", Kind::ReturnOfCapital),
            ("Reverse Split", Kind::Split),
            ("Verkoop", Kind::Sell),
            ("Split 4:1", Kind::Split),
        ] {
            assert_eq!(meaning(word), Some(Meaning::Kind(kind)), "{word}");
        }
        assert_eq!(meaning("Reinvestment"), None, "a buy alone, or a dividend too? Its owner says");
    }

    #[test]
    fn no_word_stands_for_two_transaction_types() {
        let mut all: Vec<&str> = TYPES.iter().filter(|(meaning, _)| *meaning != "reverse").map(|(_, word)| word).collect();
        all.sort_unstable();
        let twice: Vec<&[&str]> = all.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
        assert!(all.iter().all(|word| known(word).is_some()), "a meaning is unknown");
    }
}
