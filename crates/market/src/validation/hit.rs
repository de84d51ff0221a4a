//! Validates a search result of a provider before it is shown.

use ledger::QuoteUnit;

use super::profile::plain;
use crate::provider::Match;

const SYMBOL_MAX: usize = 32;

/// `None` if we could not use it: an invalid symbol or an unknown currency.
pub fn hit(hit: Match) -> Option<Match> {
    let symbol = hit.symbol.trim().to_uppercase();
    let printable = |letter: char| letter.is_ascii_graphic() || letter == ' ';
    let named = !symbol.is_empty() && symbol.len() <= SYMBOL_MAX && symbol.chars().all(printable);
    let counted = hit.unit.as_deref().is_none_or(|unit| QuoteUnit::parse(unit).is_ok());
    let text = |text: Option<String>| text.as_deref().and_then(plain);
    (named && counted).then(|| Match { symbol, name: text(hit.name), exchange: text(hit.exchange), kind: text(hit.kind), ..hit })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(symbol: &str, name: &str, unit: Option<&str>) -> Match {
        let unit = unit.map(str::to_owned);
        Match { symbol: symbol.to_owned(), name: Some(name.to_owned()), exchange: None, kind: None, isin: None, unit }
    }

    #[test]
    fn names_are_cleaned_and_symbols_normalised() {
        let clean = hit(found(" dge.l ", "Diageo\u{7} plc ", Some("GBp"))).unwrap();
        assert_eq!((clean.symbol.as_str(), clean.name.as_deref()), ("DGE.L", Some("Diageo plc")));
        assert_eq!(hit(found("A", " \n", None)).unwrap().name, None);
    }

    #[test]
    fn results_without_a_valid_symbol_or_currency_are_left_out() {
        assert_eq!(hit(found("", "x", None)), None);
        assert_eq!(hit(found("A\u{0}B", "x", None)), None);
        assert_eq!(hit(found(&"A".repeat(33), "x", None)), None);
        assert_eq!(hit(found("A", "x", Some("GALLEON"))), None);
    }
}
