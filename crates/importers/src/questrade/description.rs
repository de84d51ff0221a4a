//! What only the column Description contains.

use ledger::Decimal;

use crate::reading::fields::short;
use crate::reading::{Decimals, Words, figure};

static MARKERS: Words = Words::new(include_str!("markers.txt"));

pub fn name(text: &str) -> Option<String> {
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Uppercase ASCII has the same length, so positions are the same.
    let upper = plain.to_ascii_uppercase();
    let end = MARKERS.words_for("marker").iter().filter_map(|marker| upper.find(marker)).min().unwrap_or(plain.len());
    plain.get(..end).and_then(short)
}

/// The shares of `CASH DIV ON 100 SHS`.
pub fn on_shares(text: &str) -> Option<Decimal> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words.windows(3).find(|words| words[0].eq_ignore_ascii_case("ON") && words[2].eq_ignore_ascii_case("SHS"))?;
    figure("shares", at[1], Decimals::Point).ok().filter(|shares| *shares > Decimal::ZERO)
}

/// Whether the description has a word with that meaning: option, taxed, capital.
pub fn is(meaning: &str, text: &str) -> bool {
    MARKERS.has(meaning, &text.to_ascii_uppercase())
}

/// Long descriptions are truncated; one with its dates is complete up to its end, where the tax would be.
pub fn is_whole(text: &str) -> bool {
    let upper = text.to_ascii_uppercase();
    upper.contains(" PAY ") && upper.contains(" REC ")
}
