//! Validation of dividends against their history, the annual rate and the price.

use market::validation::{Known, dividends};
use market::{Dividend, DividendUnit};

use crate::{TODAY, brief, currency, fields, figure, history, in_dollars, known_split, paid, quarterly, split, validated};

fn with(ex_date: &str, amount: &str) -> Vec<Dividend> {
    quarterly().into_iter().chain([paid(ex_date, amount)]).collect()
}

fn priced(price: &str, rate: Option<&str>) -> Known {
    Known { price: Some(figure(price)), forward_rate: rate.map(figure), ..in_dollars() }
}

/// Usual is 0.25: 50 times that is 12.5. A hundred times 0.002 and 0.003 is a fifth away from 0.25; 0.0019 and 0.0031 are
/// cuts, not errors of a unit.
#[test]
fn one_amount_a_hundredfold_off_is_rejected() {
    for amount in ["12.5", "0.005", "0.0031", "0.0019"] {
        assert!(validated(&in_dollars(), &with("2026-03-10", amount)).rejected.is_empty(), "{amount}");
    }
    for amount in ["12.6", "0.003", "0.0025", "0.002"] {
        let validated = validated(&in_dollars(), &with("2026-03-10", amount));
        assert_eq!((validated.rows.len(), fields(&validated.rejected)), (12, vec!["dividend 2026-03-10"]), "{amount}");
    }
}

#[test]
fn a_short_answer_is_compared_with_stored_dividends() {
    let stored = Known { dividends: validated(&in_dollars(), &quarterly()).rows, ..in_dollars() };
    assert_eq!(validated(&stored, &[paid("2026-03-10", "25")]).rows, []);
    assert_eq!(validated(&in_dollars(), &[paid("2026-03-10", "25")]).rows.len(), 1);
    let canadian = Dividend { unit: DividendUnit::Whole(currency("CAD")), ..paid("2026-03-10", "25") };
    assert_eq!(validated(&stored, &[canadian]).rows.len(), 1);
}

#[test]
fn a_full_history_may_correct_stored_dividends() {
    let in_pence = quarterly().into_iter().map(|row| Dividend { amount: figure("25"), ..row }).collect::<Vec<_>>();
    let stored = Known { dividends: validated(&in_dollars(), &in_pence).rows, ..in_dollars() };
    assert_eq!((stored.dividends.len(), validated(&stored, &quarterly()).rows.len()), (12, 12));
}

/// Twenty payments of 0.003 long ago: the eight nearest to the newest one are of 0.25.
#[test]
fn old_payments_do_not_define_the_usual_amount() {
    let long_ago = (1990..2010).map(|year| paid(&format!("{year}-03-10"), "0.003"));
    let answer: Vec<Dividend> = long_ago.chain(with("2026-03-10", "0.30")).collect();
    assert_eq!(validated(&in_dollars(), &answer).rejected, []);
}

#[test]
fn two_payments_do_not_define_the_usual_amount() {
    let answer = history(&[("2025-03-10", "0.25"), ("2025-06-10", "0.25"), ("2025-09-10", "25")]);
    assert_eq!(validated(&in_dollars(), &answer).rows.len(), 3);
}

/// 0.25 before a split of 100:1 is 0.0025 after it, whether the split was known or comes along.
#[test]
fn a_split_explains_a_hundredfold_difference() {
    let answer = with("2026-03-10", "0.0025");
    assert_eq!(validated(&in_dollars(), &answer).rejected.len(), 1);
    let known = Known { splits: vec![known_split("2026-01-05", "100:1")], ..in_dollars() };
    assert_eq!(validated(&known, &answer).rejected, []);
    assert_eq!(dividends(&in_dollars(), &[split("2026-01-05", "100:1")], &answer, TODAY).rejected, []);
}

#[test]
fn a_dividend_declared_for_after_a_coming_split_is_per_new_share() {
    let known = Known { splits: vec![known_split("2026-08-15", "100:1")], ..in_dollars() };
    assert_eq!(validated(&known, &with("2026-09-10", "0.0025")).rejected, []);
    assert_eq!(validated(&known, &with("2026-08-14", "0.0025")).rejected.len(), 1);
}

/// Around it 0.10 to 2.00, twenty times: a payer by profit, which may well pay 0.006 once. The median is 0.80.
#[test]
fn a_tiny_payment_of_an_erratic_payer_passes() {
    let quarters = ["2024-03-10", "2024-06-10", "2024-09-10", "2024-12-10", "2025-03-10", "2025-06-10"];
    let erratic = ["0.10", "0.75", "0.85", "0.006", "2.00", "0.80"];
    assert_eq!(validated(&in_dollars(), &history(&quarters.into_iter().zip(erratic).collect::<Vec<_>>())).rejected, []);
    let steady = ["0.60", "0.75", "0.85", "0.006", "2.00", "0.80"];
    assert_eq!(validated(&in_dollars(), &history(&quarters.into_iter().zip(steady).collect::<Vec<_>>())).rejected.len(), 1);
}

#[test]
fn large_and_small_december_payments_of_a_fund_pass() {
    let answer = history(&[
        ("2023-06-10", "0.2"),
        ("2023-09-10", "0.2"),
        ("2023-12-10", "8"),
        ("2024-03-10", "0.1"),
        ("2024-06-10", "0.1"),
        ("2024-09-10", "0.1"),
        ("2024-12-10", "15"),
        ("2025-03-10", "0.1"),
    ]);
    assert_eq!(validated(&Known { fund: true, ..in_dollars() }, &answer).rejected, []);
    assert_eq!(validated(&in_dollars(), &answer).rejected.len(), 2);
    let lone = [&answer[..2], &answer[3..]].concat();
    assert_eq!(validated(&Known { fund: true, ..in_dollars() }, &lone).rejected.len(), 1);
}

/// From 2025-07-02 to today go 0.25 in September and in December: 0.50 in all. 50 × 0.0099 = 0.495, and 0.50 × 50 = 25.
#[test]
fn a_history_that_contradicts_the_yearly_rate_is_rejected_whole() {
    for (rate, rows) in [("0.0099", 0), ("0.01", 12), ("25", 12), ("25.1", 0)] {
        let known = Known { forward_rate: Some(figure(rate)), ..in_dollars() };
        let validated = validated(&known, &quarterly());
        assert_eq!(validated.rows.len(), rows, "{rate}");
        assert_eq!(fields(&validated.rejected), vec!["dividends"; usize::from(rows == 0)], "{rate}");
    }
}

#[test]
fn a_history_of_less_than_a_year_may_be_below_the_annual_rate() {
    let known = Known { forward_rate: Some(figure("25.1")), ..in_dollars() };
    assert_eq!(validated(&known, &history(&[("2026-03-10", "0.5")])).rows.len(), 1);
}

/// 0.25 + 0.25 in the last year, none of them above the price by itself.
#[test]
fn a_year_of_dividends_above_the_price_is_rejected_whole() {
    assert_eq!(validated(&priced("0.50", None), &quarterly()).rows.len(), 12);
    assert_eq!(fields(&validated(&priced("0.49", None), &quarterly()).rejected), ["dividends"]);
    assert_eq!(validated(&Known { fund: true, ..priced("0.49", None) }, &quarterly()).rows.len(), 12);
    assert!(validated(&Known { fund: true, ..priced("0.49", Some("0.6")) }, &quarterly()).rows.is_empty());
}

/// A special one counts in no yearly sum, so it is rejected alone: 5.00 is above 4.90.
#[test]
fn a_single_dividend_above_the_price_is_rejected() {
    let special = |ex_date: &str| Dividend { special: Some(true), ..paid(ex_date, "5") };
    let rejected = |known: &Known, row: Dividend| {
        let validated = validated(known, &quarterly().into_iter().chain([row]).collect::<Vec<_>>());
        validated.rejected.iter().map(|rejected| rejected.field.clone()).collect::<Vec<_>>()
    };
    assert_eq!(rejected(&priced("4.90", None), special("2026-02-10")), ["dividend 2026-02-10"]);
    assert_eq!(rejected(&priced("5", None), special("2026-02-10")), [""; 0]);
    assert_eq!(rejected(&priced("4.90", None), special("2024-02-10")), [""; 0]);
    let in_yen = Dividend { unit: DividendUnit::Whole(currency("JPY")), ..special("2026-02-10") };
    assert_eq!(rejected(&priced("4.90", None), in_yen), [""; 0]);
    let split = Known { splits: vec![known_split("2026-06-01", "2:1")], ..priced("4.90", None) };
    assert_eq!(rejected(&split, special("2026-02-10")), [""; 0]);
    // 9.00 before the split is 4.50 after it.
    let before = Some("2026-05-15T12:00:00Z".parse().unwrap());
    let split = Known { price: Some(figure("9")), price_as_of: before, ..split };
    assert_eq!(rejected(&split, special("2026-06-10")), ["dividend 2026-06-10"]);
}

#[test]
fn accepted_dividends_are_sorted_by_ex_date_and_have_no_provider_yet() {
    let mut answer = quarterly();
    answer.reverse();
    let rows = validated(&in_dollars(), &answer).rows;
    assert!(rows.is_sorted_by_key(|row| row.ex_date) && rows.iter().all(|row| row.provider.is_none()));
    assert_eq!(brief(&rows)[0], ("2023-03-10".to_owned(), "0.25".to_owned(), false));
}
