use market::Dividend;
use market::validation::Known;

use crate::{day, figure, history, in_dollars, known_split, paid, quarterly, unit, validated};

/// The ex-dates marked as special; nothing may be rejected.
fn specials(known: &Known, answer: &[Dividend]) -> Vec<String> {
    let validated = validated(known, answer);
    assert_eq!(validated.rejected, []);
    validated.rows.iter().filter(|row| row.special).map(|row| row.ex_date.to_string()).collect()
}

fn with(rows: &[(&str, &str)]) -> Vec<Dividend> {
    quarterly().into_iter().chain(history(rows)).collect()
}

/// Usual is 0.25, so 0.45 is the limit.
#[test]
fn a_single_large_payment_is_special() {
    assert_eq!(specials(&in_dollars(), &with(&[("2024-05-08", "7.00")])), ["2024-05-08"]);
    assert_eq!(specials(&in_dollars(), &with(&[("2024-05-08", "0.46")])), ["2024-05-08"]);
    assert_eq!(specials(&in_dollars(), &with(&[("2024-05-08", "0.45")])), [""; 0]);
    assert_eq!(specials(&Known { fund: true, ..in_dollars() }, &with(&[("2024-05-08", "7.00")])), [""; 0]);
}

#[test]
fn the_providers_classification_is_kept() {
    let marked = |special| [quarterly(), vec![Dividend { special: Some(special), ..paid("2024-05-08", "1") }]].concat();
    assert_eq!(specials(&in_dollars(), &marked(false)), [""; 0]);
    assert_eq!(specials(&in_dollars(), &marked(true)), ["2024-05-08"]);
    let beside = [marked(true), vec![paid("2024-05-08", "2")]].concat();
    assert_eq!(specials(&in_dollars(), &beside), ["2024-05-08"]);
}

/// The final dividend is three times the interim one; the newest final has none after it, but one a year before.
#[test]
fn interim_and_final_dividends_are_regular() {
    let years = ["2021", "2022", "2023", "2024", "2025"];
    let finals = years.map(|year| paid(&format!("{year}-05-02"), "0.36"));
    let interims = years.map(|year| paid(&format!("{year}-01-05"), "0.12"));
    let more = years.map(|year| paid(&format!("{year}-09-05"), "0.12"));
    assert_eq!(specials(&in_dollars(), &[&finals[..], &interims, &more].concat()), [""; 0]);
}

/// 0.36 ÷ 1.5 = 0.24: a final dividend of 0.24 a year before or after confirms it, one of 0.23 does not.
#[test]
fn a_similar_payment_a_year_apart_makes_a_large_one_regular() {
    let finals = |other: &str, date: &str| {
        let quarters = quarterly().into_iter().map(|row| Dividend { amount: figure("0.1"), ..row }).collect::<Vec<_>>();
        [quarters, vec![paid("2024-05-02", "0.36"), paid(date, other)]].concat()
    };
    for date in ["2023-05-02", "2025-05-02"] {
        assert!(!specials(&in_dollars(), &finals("0.24", date)).contains(&"2024-05-02".to_owned()), "{date}");
        assert!(specials(&in_dollars(), &finals("0.23", date)).contains(&"2024-05-02".to_owned()), "{date}");
    }
}

/// 0.50 ÷ 1.3 = 0.3846.
#[test]
fn a_raise_that_lasts_is_regular() {
    let raised = |next: &str| with(&[("2026-03-10", "0.50"), ("2026-06-10", next)]);
    assert_eq!(specials(&in_dollars(), &raised("0.385")), [""; 0]);
    assert_eq!(specials(&in_dollars(), &raised("0.384")), ["2026-03-10"]);
}

#[test]
fn the_second_payment_of_a_raise_and_the_first_before_a_cut_are_regular() {
    assert_eq!(specials(&in_dollars(), &with(&[("2026-03-10", "0.50"), ("2026-06-10", "0.50")])), [""; 0]);
    assert_eq!(specials(&in_dollars(), &with(&[("2022-12-10", "0.50")])), [""; 0]);
}

/// Four payments of 0.50 make 2.00; a rate of 2.00 ÷ 1.3 = 1.54 has gone up with the payment.
#[test]
fn the_newest_payment_is_a_raise_when_the_yearly_rate_says_so() {
    let rate = |rate: &str| Known { forward_rate: Some(figure(rate)), ..in_dollars() };
    let newest = with(&[("2026-03-10", "0.50")]);
    assert_eq!(specials(&in_dollars(), &newest), ["2026-03-10"]);
    assert_eq!(specials(&rate("1.00"), &newest), ["2026-03-10"]);
    assert_eq!(specials(&rate("1.54"), &newest), [""; 0]);
    assert_eq!(specials(&Known { unit: unit("EUR"), ..rate("1.54") }, &newest), ["2026-03-10"]);
}

#[test]
fn a_second_or_third_payment_ever_is_regular() {
    assert_eq!(
        specials(&in_dollars(), &history(&[("2025-09-10", "0.1"), ("2025-12-10", "0.1"), ("2026-03-10", "0.3")])),
        [""; 0]
    );
}

/// 1.00 before a split of 4:1 is 0.25 of today.
#[test]
fn a_payment_before_a_split_is_not_mistaken_for_a_special() {
    let answer: Vec<Dividend> = quarterly()
        .into_iter()
        .map(|row| if row.ex_date < day("2024-07-01") { Dividend { amount: figure("1.00"), ..row } } else { row })
        .collect();
    let known = Known { splits: vec![known_split("2024-07-01", "4:1")], ..in_dollars() };
    assert_eq!(specials(&known, &answer), [""; 0]);
}
