use jiff::civil::Date;
use market::validation::{Arrival, KnownDividend, Merge, Source, merge};

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

/// An answer about all days.
fn merged(known: &[KnownDividend], provider: &str, rows: &[KnownDividend]) -> Merge {
    merged_since(Date::MIN, known, provider, rows)
}

fn merged_since(from: Date, known: &[KnownDividend], provider: &str, rows: &[KnownDividend]) -> Merge {
    let source = Source::Provider { name: provider, from, to: Date::MAX };
    merge(known, Arrival { source, rows }, &rank, TODAY)
}

fn loaded(known: &[KnownDividend], rows: &[KnownDividend]) -> Merge {
    merge(known, Arrival { source: Source::Files, rows }, &rank, TODAY)
}

/// The row takes the place of the stored one.
fn replaces(stored: &KnownDividend, row: KnownDividend) -> Merge {
    Merge { upsert: vec![row], remove: vec![key(stored)] }
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

/// 0.25 × 1.02 = 0.255; the 25th is 15 days after the 10th.
#[test]
fn rows_further_apart_are_two_dividends() {
    let stored = from("first", row("2026-03-10", "0.25"));
    for other in [row("2026-03-26", "0.25"), row("2026-02-22", "0.25"), row("2026-03-11", "0.256"), row("2026-03-14", "0.251")] {
        let merge = merged(std::slice::from_ref(&stored), "first", std::slice::from_ref(&other));
        assert_eq!(merge, upserts(&[from("first", other)]));
    }
    let canadian = KnownDividend { currency: currency("CAD"), ..row("2026-03-10", "0.25") };
    assert_eq!(merged(&[stored], "first", std::slice::from_ref(&canadian)), upserts(&[from("first", canadian)]));
}

#[test]
fn a_provider_moves_its_own_payment_by_up_to_15_days() {
    let stored = from("first", row("2026-03-10", "0.25"));
    for day in ["2026-03-25", "2026-02-23"] {
        let moved = row(day, "0.25");
        let merge = merged(std::slice::from_ref(&stored), "first", std::slice::from_ref(&moved));
        assert_eq!(merge, replaces(&stored, from("first", moved)), "{day}");
    }
    let other = row("2026-03-25", "0.25");
    let merge = merged(std::slice::from_ref(&stored), "second", std::slice::from_ref(&other));
    assert_eq!(merge, upserts(&[from("second", other)]), "another provider’s row is another payment");
    let announced = from("first calendar", row("2026-07-20", "0.25"));
    let declared = row("2026-07-28", "0.25");
    let merge = merged(std::slice::from_ref(&announced), "first", std::slice::from_ref(&declared));
    assert_eq!(merge, replaces(&announced, from("first", declared)), "its calendar is its own");
}

#[test]
fn a_near_pay_date_or_the_same_declared_date_shows_a_move_as_well() {
    let paid = |ex_date, pay_date| KnownDividend { pay_date: Some(day(pay_date)), ..row(ex_date, "0.25") };
    let declared = |ex_date, declared| KnownDividend { declared_date: Some(day(declared)), ..row(ex_date, "0.25") };
    for (stored, answer, moved) in [
        (paid("2026-03-10", "2026-04-10"), paid("2026-03-31", "2026-04-25"), true),
        (paid("2026-03-10", "2026-04-10"), paid("2026-03-31", "2026-04-26"), false),
        (declared("2026-03-10", "2026-02-01"), declared("2026-04-20", "2026-02-01"), true),
        (declared("2026-03-10", "2026-02-01"), declared("2026-04-20", "2026-02-02"), false),
    ] {
        let stored = from("first", stored);
        let merge = merged(std::slice::from_ref(&stored), "first", std::slice::from_ref(&answer));
        let answer = from("first", answer);
        assert_eq!(merge, if moved { replaces(&stored, answer) } else { upserts(&[answer]) }, "{stored:?}");
    }
}

#[test]
fn a_move_keeps_no_date_that_it_has_passed() {
    let stored = KnownDividend { pay_date: Some(day("2026-03-12")), ..from("first", row("2026-03-10", "0.25")) };
    let moved = row("2026-03-20", "0.25");
    assert_eq!(
        merged(std::slice::from_ref(&stored), "first", std::slice::from_ref(&moved)),
        replaces(&stored, from("first", moved))
    );
}

#[test]
fn weekly_payments_of_one_answer_do_not_replace_each_other() {
    let weeks = ["2026-03-03", "2026-03-10", "2026-03-17", "2026-03-24"].map(|day| row(day, "0.25"));
    let stored = weeks[..3].iter().map(|row| from("first", row.clone())).collect::<Vec<_>>();
    assert_eq!(merged(&stored, "first", &weeks), upserts(&[from("first", weeks[3].clone())]));
    assert_eq!(merged(&[], "first", &weeks).upsert.len(), 4);
}

#[test]
fn an_answer_about_a_period_only_moves_rows_of_the_period() {
    let stored = from("first", row("2026-03-10", "0.25"));
    let answer = [row("2026-03-17", "0.25")];
    let new = from("first", answer[0].clone());
    let known = std::slice::from_ref(&stored);
    assert_eq!(merged_since(day("2026-03-11"), known, "first", &answer), upserts(std::slice::from_ref(&new)));
    assert_eq!(merged_since(day("2026-03-10"), known, "first", &answer), replaces(&stored, new));
    let recent = from("first", row("2026-06-20", "0.25"));
    let since = merged_since(day("2026-06-21"), std::slice::from_ref(&recent), "first", &[row("2026-06-28", "0.30")]);
    assert_eq!(since.remove, [], "nor withdraws others");
}

#[test]
fn the_operators_files_move_their_own_rows_only() {
    let stored = row("2026-03-10", "0.25");
    let moved = row("2026-03-20", "0.25");
    assert_eq!(loaded(std::slice::from_ref(&stored), std::slice::from_ref(&moved)), replaces(&stored, moved.clone()));
    let other = from("first", row("2026-03-10", "0.25"));
    assert_eq!(loaded(std::slice::from_ref(&other), std::slice::from_ref(&moved)), upserts(std::slice::from_ref(&moved)));
    let special = KnownDividend { special: true, ..stored.clone() };
    assert_eq!(loaded(std::slice::from_ref(&stored), std::slice::from_ref(&special)), replaces(&stored, special));
    let recent = row("2026-06-20", "0.25");
    assert_eq!(loaded(&[recent], std::slice::from_ref(&stored)), upserts(std::slice::from_ref(&stored)), "withdraws none");
}

/// A file may only have the next payment.
#[test]
fn the_next_payment_of_a_weekly_payer_in_a_file_is_another_one() {
    let weeks = ["2026-03-03", "2026-03-10", "2026-03-17", "2026-03-24"].map(|day| row(day, "0.25"));
    assert_eq!(loaded(&weeks[..3], &weeks[3..]), upserts(&weeks[3..]));
    let months = ["2026-01-05", "2026-02-05", "2026-03-05"].map(|day| row(day, "0.25"));
    let moved = row("2026-03-20", "0.25");
    assert_eq!(loaded(&months, std::slice::from_ref(&moved)), replaces(&months[2], moved), "15 days are not a month");
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
