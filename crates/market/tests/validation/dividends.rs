//! Validation of single dividends, and of two on one day.

use market::validation::Known;
use market::{Dividend, DividendUnit};

use crate::{brief, currency, day, fields, history, in_dollars, paid, quarterly, unit, validated};

fn dated(ex_date: &str, amount: &str, pay: Option<&str>, declared: Option<&str>) -> Dividend {
    Dividend { pay_date: pay.map(day), declared_date: declared.map(day), ..paid(ex_date, amount) }
}

fn with(more: &[Dividend]) -> Vec<Dividend> {
    quarterly().into_iter().chain(more.iter().cloned()).collect()
}

/// Accepted amounts of one ex-date, and whether they are special.
fn on(known: &Known, answer: &[Dividend], ex_date: &str) -> (Vec<(String, bool)>, usize) {
    let validated = validated(known, answer);
    let rows = brief(&validated.rows).into_iter().filter(|row| row.0 == ex_date).map(|row| (row.1, row.2)).collect();
    (rows, validated.rejected.len())
}

#[test]
fn amounts_as_quoted_are_in_the_unit_of_the_stock() {
    let pence = Dividend { unit: DividendUnit::AsQuoted, ..paid("2025-03-10", "18.5") };
    let known = Known { unit: unit("GBp"), ..Known::default() };
    let rows = validated(&known, std::slice::from_ref(&pence)).rows;
    assert_eq!((rows[0].amount.to_string(), rows[0].currency), ("0.185".to_owned(), currency("GBP")));
    let unknown = validated(&Known::default(), &[pence.clone(), pence, paid("2025-06-10", "0.1")]);
    assert_eq!(brief(&unknown.rows), [("2025-06-10".to_owned(), "0.1".to_owned(), false)]);
    assert_eq!((fields(&unknown.rejected), unknown.rejected[0].value.as_str()), (vec!["dividends"], "2"));
}

/// Today is 2026-07-01; 400 days on is 2027-08-05.
#[test]
fn what_no_dividend_can_be_is_rejected() {
    let good = history(&[("2027-08-05", "1"), ("1900-01-01", "1")]);
    assert_eq!(validated(&in_dollars(), &good).rows.len(), 2);
    let bad = history(&[("2027-08-06", "1"), ("1899-12-31", "1"), ("2024-01-02", "0"), ("2024-02-02", "-1")]);
    let bad = validated(&in_dollars(), &bad);
    assert!(bad.rows.is_empty());
    assert_eq!(
        fields(&bad.rejected),
        ["dividend 2027-08-06", "dividend 1899-12-31", "dividend 2024-01-02", "dividend 2024-02-02"]
    );
}

#[test]
fn a_pay_date_far_from_the_ex_date_is_dropped_alone() {
    for (pay, kept) in [("2024-02-29", true), ("2024-02-28", false), ("2025-04-14", true), ("2025-04-15", false)] {
        let validated = validated(&in_dollars(), &[dated("2024-03-10", "0.25", Some(pay), None)]);
        assert_eq!(validated.rows[0].pay_date, kept.then(|| day(pay)), "{pay}");
        assert_eq!(validated.rejected.is_empty(), kept, "{pay}");
    }
}

#[test]
fn a_declaration_after_the_ex_date_is_dropped_alone() {
    for (declared, kept) in [("2024-03-10", true), ("2024-03-11", false)] {
        let validated = validated(&in_dollars(), &[dated("2024-03-10", "0.25", None, Some(declared))]);
        assert_eq!(validated.rows[0].declared_date, kept.then(|| day(declared)), "{declared}");
        assert_eq!(validated.rejected.is_empty(), kept, "{declared}");
    }
}

#[test]
fn a_row_listed_twice_is_one_with_all_its_dates() {
    let twice = [
        dated("2024-03-10", "0.25", None, Some("2024-02-01")),
        dated("2024-03-10", "0.2500", Some("2024-04-01"), None),
        dated("2024-03-10", "0.25", None, None),
    ];
    let validated = validated(&in_dollars(), &twice);
    assert!(validated.rows.len() == 1 && validated.rejected.is_empty(), "{validated:?}");
    assert_eq!((validated.rows[0].pay_date, validated.rows[0].declared_date), (Some(day("2024-04-01")), Some(day("2024-02-01"))));
}

#[test]
fn the_same_amount_within_three_days_is_a_duplicate() {
    let near = validated(&in_dollars(), &history(&[("2022-01-18", "3.5"), ("2022-01-21", "3.5")]));
    assert_eq!((brief(&near.rows)[0].0.as_str(), fields(&near.rejected)), ("2022-01-18", vec!["dividend 2022-01-21"]));
    for other in [("2022-01-22", "3.5"), ("2022-01-19", "3.6")] {
        let validated = validated(&in_dollars(), &history(&[("2022-01-18", "3.5"), other]));
        assert!(validated.rows.len() == 2 && validated.rejected.is_empty(), "{other:?}");
    }
}

#[test]
fn a_regular_and_a_special_dividend_on_one_day_both_pass() {
    let kinds = [false, true].map(|special| Dividend { special: Some(special), ..paid("2024-03-10", "0.25") });
    assert_eq!(validated(&in_dollars(), &kinds).rows.len(), 2);
}

#[test]
fn two_currencies_on_one_day_both_pass() {
    let canadian = Dividend { unit: DividendUnit::Whole(currency("CAD")), ..paid("2024-03-10", "0.34") };
    assert_eq!(validated(&in_dollars(), &[paid("2024-03-10", "0.25"), canadian]).rows.len(), 2);
}

#[test]
fn the_usual_one_of_two_amounts_on_a_day_passes() {
    let answer = with(&[paid("2026-03-10", "0.34"), paid("2026-03-10", "0.252")]);
    assert_eq!(on(&in_dollars(), &answer, "2026-03-10"), (vec![("0.252".to_owned(), false)], 1));
    let short = [paid("2026-03-10", "0.34"), paid("2026-03-10", "0.25")];
    let stored = Known { dividends: validated(&in_dollars(), &quarterly()).rows, ..in_dollars() };
    assert_eq!(on(&stored, &short, "2026-03-10"), (vec![("0.25".to_owned(), false)], 1));
}

/// The second amount of each day is 0.30, 0.31, 0.32 and so on.
#[test]
fn two_amounts_on_every_day_are_all_rejected() {
    let second = |(place, row): (usize, Dividend)| paid(&row.ex_date.to_string(), &format!("0.{}", 30 + place));
    let doubled = with(&quarterly().into_iter().enumerate().map(second).collect::<Vec<_>>());
    let validated = validated(&in_dollars(), &doubled);
    assert_eq!((validated.rows.len(), validated.rejected.len()), (0, 24));
}

/// 0.24 and 0.26 are equally far from 0.25.
#[test]
fn two_equally_likely_amounts_are_both_rejected() {
    let answer = with(&[paid("2026-03-10", "0.24"), paid("2026-03-10", "0.26")]);
    assert_eq!(on(&in_dollars(), &answer, "2026-03-10"), (Vec::new(), 2));
}

/// Income and two capital gains, 0.40 + 0.10.
#[test]
fn a_funds_payment_beside_its_income_is_special() {
    let fund = Known { fund: true, ..in_dollars() };
    let answer = with(&[paid("2026-03-10", "0.40"), paid("2026-03-10", "0.25")]);
    let expected = vec![("0.25".to_owned(), false), ("0.4".to_owned(), true)];
    let mut found = on(&fund, &answer, "2026-03-10");
    found.0.sort();
    assert_eq!(found, (expected, 0));
    let gains = ["0.40", "0.10"].map(|gain| Dividend { special: Some(true), ..paid("2026-03-10", gain) });
    let answer = with(&[gains.as_slice(), &[paid("2026-03-10", "0.26")]].concat());
    let (mut rows, rejected) = on(&fund, &answer, "2026-03-10");
    rows.sort();
    assert_eq!((rows, rejected), (vec![("0.26".to_owned(), false), ("0.5".to_owned(), true)], 0));
    let alone = [paid("2026-03-10", "0.3"), paid("2026-03-10", "0.2")];
    assert_eq!(on(&fund, &alone, "2026-03-10").0, [("0.3".to_owned(), false), ("0.2".to_owned(), true)]);
}
