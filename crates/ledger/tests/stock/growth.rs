use ledger::{Facts, MarketDividend, Safety};

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
fn a_missing_payment_is_not_made_up_for() {
    // 2023: 4 × 0.25 = 1.00. 2024: 3 × 0.26 = 0.78. 2025: 4 × 0.27 = 1.08.
    let months = |year: &str, months: &[&str], amount| {
        months.iter().map(|month| dividend(day(&format!("{year}-{month}-05")), amount)).collect::<Vec<_>>()
    };
    let mut facts = payer(&[]);
    facts.dividends.extend(months("2023", &["02", "05", "08", "11"], "0.25"));
    facts.dividends.extend(months("2024", &["02", "05", "11"], "0.26"));
    facts.dividends.extend(months("2025", &["02", "05", "08", "11"], "0.27"));
    let metrics = metrics(&facts);
    assert_eq!(metrics.years.iter().map(|year| year.total).collect::<Vec<_>>(), [dec("1.00"), dec("0.78"), dec("1.08")]);
    assert_eq!(metrics.streak_years, Some(1));
    // √(1.08 ÷ 1.00) − 1
    assert_eq!(metrics.growth.map(|growth| growth.round_dp(12)), Some(dec("0.039230484541")));
}

#[test]
fn a_year_in_which_the_rhythm_changed_is_not_compared() {
    // One payment in 2022 and 2023, two in 2024, four in 2025: 2024's 0.60 is neither a cut of 1.05 nor the base of 1.20.
    let facts = payer(&[
        ("2022-05-10", "1.00"),
        ("2023-05-10", "1.05"),
        ("2024-08-10", "0.30"),
        ("2024-11-10", "0.30"),
        ("2025-02-10", "0.30"),
        ("2025-05-10", "0.30"),
        ("2025-08-10", "0.30"),
        ("2025-11-10", "0.30"),
    ]);
    let metrics = metrics_on(&facts, "2026-01-15");
    let changed: Vec<_> = metrics.years.iter().map(|year| (year.year, year.payments, year.changed)).collect();
    assert_eq!(changed, [(2022, 1, false), (2023, 1, false), (2024, 2, true), (2025, 4, false)]);
    // 1.00 < 1.05 < 1.20
    assert_eq!((metrics.streak_years, metrics.streak_at_least), (Some(2), true));
    // ∛1.20 − 1, over three years
    assert_eq!(metrics.growth.map(|growth| growth.round_dp(12)), Some(dec("0.062658569183")));
}

#[test]
fn years_are_those_of_the_ex_date() {
    // Ex in late December, paid in January: the totals 1.00, 1.10, 1.20 belong to 2023, 2024, 2025.
    let paid = |ex_date, pay_date, amount| MarketDividend { pay_date: Some(day(pay_date)), ..dividend(day(ex_date), amount) };
    let mut facts = payer(&[]);
    facts.dividends = vec![
        paid("2023-12-20", "2024-01-10", "1.00"),
        paid("2024-12-20", "2025-01-10", "1.10"),
        paid("2025-12-22", "2026-01-12", "1.20"),
    ];
    let metrics = metrics(&facts);
    assert_eq!(metrics.years.iter().map(|year| year.year).collect::<Vec<_>>(), [2023, 2024, 2025]);
    // √1.20 − 1
    assert_eq!((metrics.streak_years, metrics.growth.map(|growth| growth.round_dp(12))), (Some(2), Some(dec("0.095445115010"))));
}

#[test]
fn december_ex_dates_of_a_fund_without_payment_dates_stay_in_december() {
    // Four a year, each year more: 2023 4 × 0.80, 2024 4 × 0.85, 2025 4 × 0.90.
    let years = [("2023", "0.80", "21"), ("2024", "0.85", "20"), ("2025", "0.90", "19")];
    let ex_date = |year: &str, month: &str, date: &str| day(&format!("{year}-{month}-{date}"));
    let rows = years.iter().flat_map(|(year, amount, december)| {
        let quarters = ["03", "06", "09"].map(|month| dividend(ex_date(year, month, "20"), amount));
        quarters.into_iter().chain([dividend(ex_date(year, "12", december), amount)])
    });
    let facts = Facts { dividends: rows.collect(), fund: true, ..payer(&[]) };
    let metrics = metrics_on(&facts, "2026-01-15");
    let counts: Vec<_> = metrics.years.iter().map(|year| (year.year, year.payments)).collect();
    assert_eq!(counts, [(2023, 4), (2024, 4), (2025, 4)]);
    assert_eq!((metrics.streak_years, metrics.streak_at_least), (Some(2), true));
}

#[test]
fn a_december_payment_that_slips_over_new_year_stays_in_its_year() {
    // At the end of each month; December's of 2024 on 2 January 2025. By ex-date 2024 has 11 and 2025 has 13.
    let ex_dates = [
        ["2023-01-31", "2023-02-28", "2023-03-31", "2023-04-28", "2023-05-31", "2023-06-30"],
        ["2023-07-31", "2023-08-31", "2023-09-29", "2023-10-31", "2023-11-30", "2023-12-29"],
        ["2024-01-31", "2024-02-29", "2024-03-28", "2024-04-30", "2024-05-31", "2024-06-28"],
        ["2024-07-31", "2024-08-30", "2024-09-30", "2024-10-31", "2024-11-29", "2025-01-02"],
        ["2025-01-31", "2025-02-28", "2025-03-31", "2025-04-30", "2025-05-30", "2025-06-30"],
        ["2025-07-31", "2025-08-29", "2025-09-30", "2025-10-31", "2025-11-28", "2025-12-31"],
    ];
    let metrics =
        metrics_on(&payer(&ex_dates.concat().iter().map(|ex_date| (*ex_date, "0.10")).collect::<Vec<_>>()), "2026-01-15");
    let counts: Vec<_> = metrics.years.iter().map(|year| (year.year, year.payments)).collect();
    assert_eq!(counts, [(2023, 12), (2024, 12), (2025, 12)]);
}

#[test]
fn an_annual_payment_on_30_december_and_3_january_belongs_to_two_years() {
    // 3 January 2024 follows 30 December 2022, four days off a year before: 2022 and 2023 have one payment each, none is missing.
    let mut facts = payer(&[("2022-12-30", "1.00"), ("2024-01-03", "1.05")]);
    facts.payout_ratio = Some(dec("0.5"));
    let metrics = metrics_on(&facts, "2024-07-15");
    let years: Vec<_> = metrics.years.iter().map(|year| (year.year, year.payments, year.complete)).collect();
    assert_eq!(years, [(2022, 1, true), (2023, 1, true)]);
    assert_eq!((metrics.streak_years, metrics.safety), (Some(1), Safety::Safe));
}

#[test]
fn a_streak_that_reaches_the_first_known_year_may_be_longer() {
    let streak = |amounts: &[&str]| {
        let metrics = metrics(&annual("2022", amounts));
        (metrics.streak_years, metrics.streak_at_least)
    };
    assert_eq!(streak(&["1.00", "1.10", "1.20", "1.30"]), (Some(3), true));
    assert_eq!(streak(&["1.10", "1.10", "1.20", "1.30"]), (Some(2), false));
    assert_eq!(streak(&["1.00", "1.10", "1.20", "1.20"]), (Some(0), false));
    // Two complete years, the second lower; one complete year.
    assert!(!metrics(&annual("2024", &["1.10", "1.00"])).streak_at_least);
    assert!(!metrics(&annual("2025", &["1.10", "1.00"])).streak_at_least);
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
fn a_year_without_payments_after_a_stop_is_zero() {
    // Quarterly until July 2024: 4 × 0.20 in 2023, 3 × 0.25 in 2024.
    let facts = pays_every(3, "2023-01-05", &["0.20", "0.20", "0.20", "0.20", "0.25", "0.25", "0.25"]);
    assert_eq!(metrics_on(&facts, "2025-06-01").streak_years, Some(0));
    // Four, three, none: 2024 is not compared, and there is no growth from 0.80 to nothing.
    let later = metrics_on(&facts, "2026-02-01");
    assert!(later.stopped);
    assert_eq!(later.years.last().map(|year| (year.year, year.total)), Some((2025, dec("0"))));
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
