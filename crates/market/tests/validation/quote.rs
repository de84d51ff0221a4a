use jiff::Timestamp;
use market::Quote;
use market::validation::{Known, quote};

use crate::{figure, known_split, unit};

const NOW: &str = "2026-07-01T15:00:00Z";

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn known() -> Known {
    let price_as_of = Some(at("2026-06-30T15:00:00Z"));
    Known { unit: unit("GBp"), price: Some(figure("20")), price_as_of, ..Known::default() }
}

fn quote_of(price: &str, name: &str, as_of: &str) -> Quote {
    Quote { symbol: "ABC.L".to_owned(), price: figure(price), unit: unit(name).unwrap(), as_of: at(as_of) }
}

fn reason(known: &Known, price: &str, name: &str, as_of: &str) -> String {
    let held = quote(known, &quote_of(price, name, as_of), at(NOW)).unwrap_err();
    assert_eq!(held.field, "price");
    held.reason
}

#[test]
fn a_price_like_the_last_one_passes() {
    for price in ["20", "0.5", "999"] {
        assert_eq!(quote(&known(), &quote_of(price, "GBP", NOW), at(NOW)), Ok(()), "{price}");
    }
    assert_eq!(quote(&Known::default(), &quote_of("1", "EUR", NOW), at(NOW)), Ok(()));
}

#[test]
fn a_price_of_zero_or_less_is_rejected() {
    assert!(reason(&Known::default(), "0", "GBp", NOW).contains("above zero"));
    assert!(reason(&Known::default(), "-1", "GBp", NOW).contains("above zero"));
}

#[test]
fn a_price_in_another_currency_is_rejected_but_not_one_in_pence() {
    assert!(reason(&known(), "20", "USD", NOW).contains("trades in GBP"));
    assert_eq!(quote(&known(), &quote_of("20", "GBP", NOW), at(NOW)), Ok(()));
}

/// 50 × 20 = 1000, 20 ÷ 50 = 0.4.
#[test]
fn pence_taken_for_pounds_are_rejected() {
    assert!(reason(&known(), "1000.01", "GBp", NOW).contains("50 times"));
    assert!(reason(&known(), "0.399", "GBp", NOW).contains("50 times"));
}

/// 100 new for 1 old makes 0.20 of 20; a fifth more is 0.24. Two splits of 10:1 explain the same.
#[test]
fn a_recent_split_explains_a_jump() {
    let split = Known { splits: vec![known_split("2026-07-01", "100:1")], ..known() };
    assert_eq!(quote(&split, &quote_of("0.24", "GBp", NOW), at(NOW)), Ok(()));
    assert!(reason(&split, "0.25", "GBp", NOW).contains("50 times"));
    let twice = Known { splits: vec![known_split("2026-06-30", "10:1"), known_split("2026-07-01", "10:1")], ..known() };
    assert_eq!(quote(&twice, &quote_of("0.2", "GBp", NOW), at(NOW)), Ok(()));
}

#[test]
fn a_split_of_last_year_explains_nothing() {
    let split = Known { splits: vec![known_split("2025-07-01", "100:1")], ..known() };
    assert!(reason(&split, "0.2", "GBp", NOW).contains("50 times"));
}

#[test]
fn a_price_from_the_future_is_rejected() {
    assert_eq!(quote(&known(), &quote_of("20", "GBp", "2026-07-02T15:00:00Z"), at(NOW)), Ok(()));
    assert!(reason(&known(), "20", "GBp", "2026-07-02T15:00:01Z").contains("future"));
}

#[test]
fn an_older_price_is_rejected() {
    assert_eq!(quote(&known(), &quote_of("20", "GBp", "2026-06-30T15:00:00Z"), at(NOW)), Ok(()));
    assert!(reason(&known(), "20", "GBp", "2026-06-30T14:59:59Z").starts_with("not newer"));
}

#[test]
fn an_extreme_price_is_compared_without_a_panic() {
    let huge = ledger::Decimal::MAX.to_string();
    let known = Known { price: Some(ledger::Decimal::MAX), ..known() };
    assert_eq!(quote(&known, &quote_of(&huge, "GBp", NOW), at(NOW)), Ok(()));
    assert!(reason(&known, "20", "GBp", NOW).contains("50 times"));
}
