use jiff::Timestamp;
use market::Quote;
use market::validation::{Known, Reason, quote};

use crate::{figure, known_split, unit};

const NOW: &str = "2026-07-01T15:00:00Z";

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn known() -> Known {
    let price_as_of = Some(at("2026-06-30T15:00:00Z"));
    Known { unit: unit("GBp"), price: Some(figure("20")), price_as_of, ..Known::default() }
}

fn quoted(price: &str, name: &str, as_of: &str) -> Quote {
    Quote { symbol: "ABC.L".to_owned(), price: figure(price), unit: unit(name).unwrap(), as_of: at(as_of) }
}

fn reason(known: &Known, price: &str, name: &str, as_of: &str) -> Reason {
    let rejected = quote(known, &quoted(price, name, as_of), at(NOW)).unwrap_err();
    assert_eq!(rejected.field, "price");
    rejected.reason
}

#[test]
fn a_price_like_the_last_one_passes() {
    for price in ["20", "0.5", "999"] {
        assert_eq!(quote(&known(), &quoted(price, "GBP", NOW), at(NOW)), Ok(()), "{price}");
    }
    assert_eq!(quote(&Known::default(), &quoted("1", "EUR", NOW), at(NOW)), Ok(()));
}

#[test]
fn a_price_of_zero_or_less_is_rejected() {
    assert_eq!(reason(&Known::default(), "0", "GBp", NOW), Reason::NotPositive);
    assert_eq!(reason(&Known::default(), "-1", "GBp", NOW), Reason::NotPositive);
}

#[test]
fn another_currency_is_rejected_and_pence_are_not_another() {
    assert!(matches!(reason(&known(), "20", "USD", NOW), Reason::OtherCurrency { expected, .. } if expected == "GBP"));
    assert_eq!(quote(&known(), &quoted("20", "GBP", NOW), at(NOW)), Ok(()));
}

/// 50 × 20 = 1000, 20 ÷ 50 = 0.4.
#[test]
fn pence_taken_for_pounds_are_rejected() {
    assert!(matches!(reason(&known(), "1000.01", "GBp", NOW), Reason::FarFromStoredPrice { .. }));
    assert!(matches!(reason(&known(), "0.399", "GBp", NOW), Reason::FarFromStoredPrice { .. }));
}

/// 100 new for 1 old makes 0.20 of 20; a fifth more is 0.24. Two splits of 10:1 explain the same.
#[test]
fn a_recent_split_explains_a_jump() {
    let split = Known { splits: vec![known_split("2026-07-01", "100:1")], ..known() };
    assert_eq!(quote(&split, &quoted("0.24", "GBp", NOW), at(NOW)), Ok(()));
    assert!(matches!(reason(&split, "0.25", "GBp", NOW), Reason::FarFromStoredPrice { .. }));
    let twice = Known { splits: vec![known_split("2026-06-30", "10:1"), known_split("2026-07-01", "10:1")], ..known() };
    assert_eq!(quote(&twice, &quoted("0.2", "GBp", NOW), at(NOW)), Ok(()));
}

#[test]
fn a_split_of_last_year_explains_nothing() {
    let split = Known { splits: vec![known_split("2025-07-01", "100:1")], ..known() };
    assert!(matches!(reason(&split, "0.2", "GBp", NOW), Reason::FarFromStoredPrice { .. }));
}

#[test]
fn a_price_of_the_future_is_rejected() {
    assert_eq!(quote(&known(), &quoted("20", "GBp", "2026-07-02T15:00:00Z"), at(NOW)), Ok(()));
    assert!(matches!(reason(&known(), "20", "GBp", "2026-07-02T15:00:01Z"), Reason::FutureTime { .. }));
}

#[test]
fn an_older_price_is_rejected() {
    assert_eq!(quote(&known(), &quoted("20", "GBp", "2026-06-30T15:00:00Z"), at(NOW)), Ok(()));
    assert!(matches!(reason(&known(), "20", "GBp", "2026-06-30T14:59:59Z"), Reason::NotNewer { .. }));
}

#[test]
fn an_extreme_price_is_compared_without_a_panic() {
    let huge = ledger::Decimal::MAX.to_string();
    let known = Known { price: Some(ledger::Decimal::MAX), ..known() };
    assert_eq!(quote(&known, &quoted(&huge, "GBp", NOW), at(NOW)), Ok(()));
    assert!(matches!(reason(&known, "20", "GBp", NOW), Reason::FarFromStoredPrice { .. }));
}
