use ledger::{Facts, MarketDividend};

use crate::{day, dec, dividend, metrics, metrics_on, payer, pays_every};

/// Pays once a year, in May, the last time in 2025 or 2026.
fn annual(first_year: &str, amounts: &[&str]) -> Facts {
    pays_every(12, &format!("{first_year}-05-10"), amounts)
}

#[test]
fn a_streak_counts_the_years_above_the_year_before() {
    // 2021 to 2025: 1.10 after 1.20 ends it, then 1.15 and 1.30 rise. 2026 is not complete.
    let metrics = metrics(&annual("2021", &["1.00", "1.20", "1.10", "1.15", "1.30", "9.00"]));
    assert_eq!(metrics.streak_years, Some(2));
}

#[test]
fn an_equal_year_ends_a_streak() {
    assert_eq!(metrics(&annual("2022", &["1.00", "1.10", "1.20", "1.20"])).streak_years, Some(0));
    assert_eq!(metrics(&annual("2022", &["1.00", "1.10", "1.10", "1.20"])).streak_years, Some(1));
}

#[test]
fn a_streak_needs_two_complete_years() {
    // With two annual payments 2024 (all of its one payment) and 2025 are complete; with one there is no class either.
    assert_eq!(metrics(&annual("2024", &["1.00", "1.10"])).streak_years, Some(1));
    assert_eq!(metrics(&annual("2025", &["1.00", "1.10"])).streak_years, None);
    assert_eq!(metrics(&payer(&[])).streak_years, None);
}

#[test]
fn the_first_year_counts_only_when_whole() {
    // Quarterly from January 2023 or from April 2023, to January 2026.
    let whole = pays_every(
        3,
        "2023-01-05",
        &["0.20", "0.20", "0.20", "0.20", "0.25", "0.25", "0.25", "0.25", "0.30", "0.30", "0.30", "0.30", "0.30"],
    );
    let begun = pays_every(
        3,
        "2023-04-05",
        &["0.20", "0.20", "0.20", "0.25", "0.25", "0.25", "0.25", "0.30", "0.30", "0.30", "0.30", "0.30"],
    );
    assert_eq!(metrics_on(&whole, "2026-02-01").streak_years, Some(2));
    assert_eq!(metrics_on(&begun, "2026-02-01").streak_years, Some(1));
}

#[test]
fn a_year_with_one_payment_too_few_or_too_many_is_corrected() {
    // 2023: 4 × 0.25 = 1.00. 2024: 3 × 0.26 = 0.78, repaired to 1.04. 2025: 5 × 0.27 = 1.35, repaired to 1.08.
    // 2026 then starts one late, which the current year may.
    let facts = payer(&[
        ("2023-01-05", "0.25"),
        ("2023-04-05", "0.25"),
        ("2023-07-05", "0.25"),
        ("2023-10-05", "0.25"),
        ("2024-03-05", "0.26"),
        ("2024-06-05", "0.26"),
        ("2024-09-05", "0.26"),
        ("2025-01-05", "0.27"),
        ("2025-03-05", "0.27"),
        ("2025-06-05", "0.27"),
        ("2025-09-05", "0.27"),
        ("2025-12-05", "0.27"),
        ("2026-03-05", "0.27"),
        ("2026-06-05", "0.27"),
    ]);
    let metrics = metrics(&facts);
    assert_eq!(metrics.streak_years, Some(2));
    // √(1.08 ÷ 1.00) − 1
    assert_eq!(metrics.growth.map(|growth| growth.round_dp(12)), Some(dec("0.039230484541")));
}

#[test]
fn years_are_those_of_the_pay_date() {
    // Ex in late December, paid in January: the totals 1.00, 1.10, 1.20 belong to 2024, 2025, 2026.
    let paid = |ex_date, pay_date, amount| MarketDividend { pay_date: Some(day(pay_date)), ..dividend(day(ex_date), amount) };
    let mut facts = payer(&[]);
    facts.dividends = vec![
        paid("2023-12-20", "2024-01-10", "1.00"),
        paid("2024-12-20", "2025-01-10", "1.10"),
        paid("2025-12-22", "2026-01-12", "1.20"),
    ];
    let metrics = metrics(&facts);
    assert_eq!((metrics.streak_years, metrics.growth), (Some(1), Some(dec("0.1"))));
}

#[test]
fn specials_are_in_no_total() {
    let mut facts = annual("2023", &["1.00", "1.10", "1.20"]);
    facts.dividends.push(MarketDividend { special: true, ..dividend(day("2024-11-10"), "5.00") });
    assert_eq!(metrics(&facts).streak_years, Some(2));
}

#[test]
fn five_years_of_ten_percent_growth_are_exactly_ten_percent() {
    // 1.1^5 = 1.61051
    let metrics = metrics(&annual("2020", &["1.00", "1.30", "1.20", "1.40", "1.50", "1.61051", "1.80"]));
    assert_eq!((metrics.cagr_5y, metrics.growth), (Some(dec("0.1")), Some(dec("0.1"))));
}

#[test]
fn five_years_of_growth_need_six_complete_years() {
    // Four years from 2021 to 2025: 1.1^4 = 1.4641
    let metrics = metrics(&annual("2021", &["1.00", "1.10", "1.20", "1.30", "1.4641"]));
    assert_eq!((metrics.cagr_5y, metrics.growth), (None, Some(dec("0.1"))));
}

#[test]
fn a_year_without_a_payment_is_zero_and_no_base_for_growth() {
    // 2020 is missing: five years back is zero, four years back is 2021, 1.4641 = 1.1^4.
    let years = [
        ("2019-05-10", "1"),
        ("2021-05-10", "1"),
        ("2022-05-10", "1.1"),
        ("2023-05-10", "1.2"),
        ("2024-05-10", "1.3"),
        ("2025-05-10", "1.4641"),
    ];
    let metrics = metrics(&payer(&years));
    assert_eq!((metrics.cagr_5y, metrics.growth, metrics.streak_years), (None, Some(dec("0.1")), Some(5)));
}

#[test]
fn growth_of_two_complete_years_is_their_ratio() {
    assert_eq!(metrics(&annual("2024", &["1.00", "1.05"])).growth, Some(dec("0.05")));
    assert_eq!(metrics(&annual("2025", &["1.00", "1.05"])).growth, None);
}

#[test]
fn growth_is_limited_for_the_projection() {
    // 2^5 and 0.5^5
    let up = metrics(&annual("2020", &["1.00", "2", "4", "8", "16", "32"]));
    assert_eq!((up.cagr_5y, up.growth), (Some(dec("1")), Some(dec("0.15"))));
    let down = metrics(&annual("2020", &["32", "16", "8", "4", "2", "1"]));
    assert_eq!((down.cagr_5y, down.growth), (Some(dec("-0.5")), Some(dec("-0.10"))));
}

#[test]
fn a_stopped_payers_years_are_judged_by_its_former_frequency() {
    // Quarterly until October 2024, three payments in 2024: 2023 is 0.80, 2024 is repaired to 1.00, 2025 is zero.
    let facts = pays_every(3, "2023-01-05", &["0.20", "0.20", "0.20", "0.20", "0.25", "0.25", "0.25"]);
    assert_eq!(metrics_on(&facts, "2025-06-01").streak_years, Some(1));
    let later = metrics_on(&facts, "2026-02-01");
    assert!(later.stopped);
    assert_eq!((later.streak_years, later.growth), (Some(0), None));
}

#[test]
fn the_current_year_is_listed_once_something_of_it_is_known() {
    let facts = pays_every(12, "2023-05-10", &["1.00"; 3]);
    let years = |today| metrics_on(&facts, today).years.iter().map(|year| year.year).collect::<Vec<_>>();
    assert_eq!(years("2025-12-31"), [2023, 2024, 2025]);
    assert_eq!(years("2026-02-01"), [2023, 2024, 2025]);
    // Nothing was paid in 2026, and it is over.
    assert_eq!(years("2027-02-01"), [2023, 2024, 2025, 2026]);
}
