use jiff::ToSpan;
use jiff::civil::Date;
use ledger::Decimal;
use market::validation::{Known, closes};

use crate::{TODAY, day, figure, known_split};

/// Closes of consecutive days up to and including yesterday.
fn series(figures: &[&str]) -> Vec<(Date, Decimal)> {
    let days = (1..=figures.len() as i64).rev().map(|ago| TODAY.saturating_sub(ago.days()));
    days.zip(figures.iter().map(|text| figure(text))).collect()
}

fn kept(known: &Known, figures: &[&str]) -> (Vec<String>, Vec<String>) {
    let sifted = closes(known, &series(figures), TODAY);
    let rows = sifted.rows.iter().map(|(_, close)| close.to_string()).collect();
    (rows, sifted.held.into_iter().map(|held| held.reason).collect())
}

fn priced(price: &str) -> Known {
    Known { price: Some(figure(price)), price_as_of: Some("2026-07-01T09:00:00Z".parse().unwrap()), ..Known::default() }
}

#[test]
fn ordinary_closes_pass_in_order_of_date() {
    let mut answer = series(&["10", "11", "5", "12"]);
    answer.reverse();
    assert_eq!(closes(&Known::default(), &answer, TODAY).rows, series(&["10", "11", "5", "12"]));
}

#[test]
fn closes_of_zero_or_in_the_future_are_rejected_with_a_reason() {
    let (rows, held) = kept(&Known::default(), &["10", "0", "-1", "12"]);
    assert_eq!(rows, ["10", "12"]);
    assert!(held.len() == 1 && held[0].starts_with("2 days from 2026-06-28"), "{held:?}");
    let sifted = closes(&Known::default(), &[(TODAY, figure("10")), (day("2026-07-02"), figure("10"))], TODAY);
    assert_eq!(sifted.rows, [(TODAY, figure("10"))]);
    assert!(sifted.held[0].reason.contains("2026-07-02"));
}

#[test]
fn the_last_close_given_for_a_day_counts() {
    let sifted = closes(&Known::default(), &[(TODAY, figure("10")), (TODAY, figure("10.5"))], TODAY);
    assert_eq!((sifted.rows, sifted.held), (vec![(TODAY, figure("10.5"))], Vec::new()));
}

#[test]
fn a_run_of_closes_a_hundredfold_off_is_rejected_as_one() {
    let (rows, held) = kept(&Known::default(), &["10", "1010", "1005", "10.2", "10.3", "0.104", "10.5"]);
    assert_eq!(rows, ["10", "10.2", "10.3", "10.5"]);
    assert!(held.len() == 1 && held[0].starts_with("3 days from 2026-06-25"), "{held:?}");
}

#[test]
fn a_recent_price_decides_between_two_scales() {
    let figures = ["3510", "3500", "3490", "3500", "35.1", "34.9"];
    assert_eq!(kept(&priced("35"), &figures).0, ["35.1", "34.9"]);
    assert_eq!(kept(&Known::default(), &figures).0, ["3510", "3500", "3490", "3500"]);
    assert!(kept(&priced("35"), &["3510", "3500", "3490"]).0.is_empty());
}

#[test]
fn a_price_from_another_time_decides_nothing() {
    for as_of in ["2026-06-20T09:00:00Z", "2026-08-15T09:00:00Z"] {
        let known = Known { price_as_of: Some(as_of.parse().unwrap()), ..priced("0.10") };
        assert_eq!(kept(&known, &["10", "10"]).0.len(), 2, "{as_of}");
    }
}

#[test]
fn without_a_majority_all_closes_are_rejected() {
    let (rows, held) = kept(&Known::default(), &["10", "1000"]);
    assert!(rows.is_empty());
    assert!(held.len() == 1 && held[0].contains("nothing tells"), "{held:?}");
}

/// 20 before a split of 100:1 is 0.20 after it.
#[test]
fn a_price_from_before_a_split_is_restated() {
    let known = Known {
        splits: vec![known_split("2026-07-01", "100:1")],
        price_as_of: Some("2026-06-30T15:00:00Z".parse().unwrap()),
        ..priced("20")
    };
    assert_eq!(kept(&known, &["0.19", "0.2"]).0, ["0.19", "0.2"]);
}

#[test]
fn an_empty_answer_has_no_closes() {
    assert_eq!(kept(&priced("10"), &[]), (Vec::new(), Vec::new()));
}
