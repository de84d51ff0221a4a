use market::validation::{KnownDividend, Merge, merge};

use crate::{TODAY, currency, day, figure};

fn row(ex_date: &str, amount: &str) -> KnownDividend {
    KnownDividend {
        ex_date: day(ex_date),
        currency: currency("USD"),
        special: false,
        pay_date: None,
        declared_date: None,
        amount: figure(amount),
        provider: None,
    }
}

fn from(provider: &str, row: KnownDividend) -> KnownDividend {
    KnownDividend { provider: Some(provider.to_owned()), ..row }
}

/// The operator's files before `first` before `second`.
fn rank(provider: Option<&str>) -> usize {
    match provider {
        None => 0,
        Some("first") => 1,
        _ => 2,
    }
}

fn merged(known: &[KnownDividend], provider: &str, rows: &[KnownDividend]) -> Merge {
    merge(known, provider, &rank, rows, TODAY)
}

fn key(row: &KnownDividend) -> (jiff::civil::Date, ledger::Currency, bool) {
    (row.ex_date, row.currency, row.special)
}

fn upserts(rows: &[KnownDividend]) -> Merge {
    Merge { upsert: rows.to_vec(), remove: Vec::new() }
}

#[test]
fn a_new_row_is_added_and_the_same_answer_again_changes_nothing() {
    let rows = [row("2026-03-10", "0.25"), KnownDividend { special: true, ..row("2026-03-10", "1") }];
    let stored = rows.clone().map(|row| from("first", row));
    assert_eq!(merged(&[], "first", &rows), upserts(&stored));
    assert_eq!(merged(&stored, "first", &rows), Merge::default());
}

#[test]
fn a_preferred_provider_wins_and_takes_over_the_row() {
    let stored = KnownDividend { pay_date: Some(day("2026-04-01")), ..from("second", row("2026-03-10", "0.25")) };
    let answer = KnownDividend { declared_date: Some(day("2026-02-01")), ..row("2026-03-10", "0.30") };
    let expected = KnownDividend { pay_date: stored.pay_date, ..from("first", answer.clone()) };
    assert_eq!(merged(&[stored], "first", std::slice::from_ref(&answer)), upserts(&[expected]));
}

#[test]
fn a_less_preferred_provider_fills_in_missing_values_only() {
    let stored = KnownDividend { pay_date: Some(day("2026-04-01")), ..from("first", row("2026-03-10", "0.25")) };
    let answer =
        KnownDividend { pay_date: Some(day("2026-04-02")), declared_date: Some(day("2026-02-01")), ..row("2026-03-11", "0.254") };
    let filled = KnownDividend { declared_date: answer.declared_date, ..stored.clone() };
    assert_eq!(merged(&[stored], "second", std::slice::from_ref(&answer)), upserts(std::slice::from_ref(&filled)));
    assert_eq!(merged(&[filled], "second", &[answer]), Merge::default());
}

#[test]
fn the_operators_files_win() {
    let stored = row("2026-03-10", "0.25");
    assert_eq!(merged(&[stored], "first", &[row("2026-03-10", "0.30")]), Merge::default());
}

#[test]
fn a_changed_ex_date_moves_the_row() {
    let stored = KnownDividend { pay_date: Some(day("2026-04-01")), ..from("first", row("2026-03-10", "0.25")) };
    let moved = KnownDividend { ex_date: day("2026-03-13"), ..stored.clone() };
    let expected = Merge { upsert: vec![moved], remove: vec![key(&stored)] };
    assert_eq!(merged(&[stored], "first", &[row("2026-03-13", "0.25")]), expected);
}

/// 0.25 × 1.02 = 0.255.
#[test]
fn rows_further_apart_are_two_dividends() {
    let stored = from("first", row("2026-03-10", "0.25"));
    for other in [row("2026-03-14", "0.25"), row("2026-03-11", "0.256")] {
        let merge = merged(std::slice::from_ref(&stored), "first", std::slice::from_ref(&other));
        assert_eq!(merge, upserts(&[from("first", other)]));
    }
    let canadian = KnownDividend { currency: currency("CAD"), ..row("2026-03-10", "0.25") };
    assert_eq!(merged(&[stored], "first", std::slice::from_ref(&canadian)), upserts(&[from("first", canadian)]));
}

#[test]
fn a_row_on_the_same_day_is_matched_before_one_nearby() {
    let stored = [from("first", row("2026-03-10", "0.25")), from("first", row("2026-03-11", "0.25"))];
    let answer = [row("2026-03-11", "0.25"), row("2026-03-10", "0.25")];
    assert_eq!(merged(&stored, "first", &answer), Merge::default());
}

#[test]
fn a_payment_reclassified_as_special_is_not_duplicated() {
    let stored = from("first", row("2026-03-10", "7"));
    let special = KnownDividend { special: true, ..row("2026-03-10", "7") };
    let expected = Merge { upsert: vec![from("first", special.clone())], remove: vec![key(&stored)] };
    assert_eq!(merged(std::slice::from_ref(&stored), "first", std::slice::from_ref(&special)), expected);
    assert_eq!(merged(&[stored], "second", &[special]), Merge::default());
}

/// Today is 2026-07-01; 45 days before is 2026-05-17.
#[test]
fn a_recent_row_that_its_provider_no_longer_lists_is_removed() {
    let old = from("first", row("2026-05-17", "0.25"));
    let recent = from("first", row("2026-05-18", "0.25"));
    let declared = from("first", row("2026-09-10", "0.25"));
    let others = [from("second", row("2026-09-20", "0.25")), row("2026-09-30", "0.25")];
    let known = [&[old, recent.clone(), declared.clone()], &others[..]].concat();
    let answer = [from("first", row("2026-03-10", "0.25"))];
    let expected = Merge { upsert: answer.to_vec(), remove: vec![key(&recent), key(&declared)] };
    assert_eq!(merged(&known, "first", &answer), expected);
    assert_eq!(merged(&known, "first", &[]), Merge::default());
}
