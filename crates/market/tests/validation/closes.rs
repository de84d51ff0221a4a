use jiff::ToSpan;
use jiff::civil::Date;
use ledger::Decimal;
use market::validation::{CloseProblem, Known, Reason, closes};

use crate::{TODAY, day, figure, known_split};

/// Closes of consecutive days up to and including yesterday.
fn series(figures: &[&str]) -> Vec<(Date, Decimal)> {
    let days = (1..=figures.len() as i64).rev().map(|ago| TODAY.saturating_sub(ago.days()));
    days.zip(figures.iter().map(|text| figure(text))).collect()
}

fn kept(known: &Known, figures: &[&str]) -> (Vec<String>, Vec<Reason>) {
    let validated = closes(known, &series(figures), TODAY);
    let rows = validated.rows.iter().map(|(_, close)| close.to_string()).collect();
    (rows, validated.rejected.into_iter().map(|rejected| rejected.reason).collect())
}

fn off(days: usize, from: &str, problem: CloseProblem) -> Reason {
    Reason::Closes { days, from: from.to_owned(), problem }
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
fn a_close_of_nothing_and_of_tomorrow_are_rejected() {
    let (rows, rejected) = kept(&Known::default(), &["10", "0", "-1", "12"]);
    assert_eq!(rows, ["10", "12"]);
    assert!(rejected.len() == 1 && rejected[0] == off(2, "2026-06-28", CloseProblem::NotPositive), "{rejected:?}");
    let validated = closes(&Known::default(), &[(TODAY, figure("10")), (day("2026-07-02"), figure("10"))], TODAY);
    assert_eq!(validated.rows, [(TODAY, figure("10"))]);
    assert_eq!(validated.rejected[0].reason, off(1, "2026-07-02", CloseProblem::Future));
}

#[test]
fn the_last_close_given_for_a_day_counts() {
    let validated = closes(&Known::default(), &[(TODAY, figure("10")), (TODAY, figure("10.5"))], TODAY);
    assert_eq!((validated.rows, validated.rejected), (vec![(TODAY, figure("10.5"))], Vec::new()));
}

#[test]
fn a_run_a_hundredfold_off_is_rejected_as_one() {
    let (rows, rejected) = kept(&Known::default(), &["10", "1010", "1005", "10.2", "10.3", "0.104", "10.5"]);
    assert_eq!(rows, ["10", "10.2", "10.3", "10.5"]);
    assert!(rejected.len() == 1 && rejected[0] == off(3, "2026-06-25", CloseProblem::OutOfScale), "{rejected:?}");
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
    let (rows, rejected) = kept(&Known::default(), &["10", "1000"]);
    assert!(rows.is_empty());
    assert!(
        rejected.len() == 1 && matches!(rejected[0], Reason::Closes { problem: CloseProblem::Ambiguous, .. }),
        "{rejected:?}"
    );
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
