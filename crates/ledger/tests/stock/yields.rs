use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Decimal, Facts, Fx};

use crate::{TODAY, currency, day, dec, metrics, metrics_on, payer, pays_every};

/// One close in the middle of each of so many months, the newest first.
fn month_closes(newest: &str, closes: &[&str]) -> Vec<(Date, Decimal)> {
    (0i32..).zip(closes).map(|(ago, close)| (day(newest).saturating_sub(ago.months()), dec(close))).collect()
}

/// 1.20 every May since 2015.
fn annual() -> Facts {
    pays_every(12, "2015-05-10", &["1.20"; 12])
}

#[test]
fn the_yield_is_the_forward_rate_over_the_price() {
    let mut facts = annual();
    // 1.20 ÷ 32 = 0.0375; 1.20 ÷ 7 = 17.142857…%
    for (price, fraction, percent) in [("32", "0.0375", "3.75"), ("7", "0.1714285714285714285714285714", "17.14")] {
        facts.price = Some(dec(price));
        let metrics = metrics(&facts);
        assert_eq!((metrics.yield_fraction, metrics.yield_pct), (Some(dec(fraction)), Some(dec(percent))));
    }
}

#[test]
fn half_a_hundredth_of_a_percent_rounds_to_even() {
    let mut facts = annual();
    // 1.20 ÷ 960 = 0.125%; 1.20 ÷ 320 = 0.375%
    for (price, percent) in [("960", "0.12"), ("320", "0.38")] {
        facts.price = Some(dec(price));
        assert_eq!(metrics(&facts).yield_pct, Some(dec(percent)));
    }
}

#[test]
fn without_a_price_there_is_no_yield() {
    let mut facts = annual();
    for price in [None, Some(dec("0")), Some(dec("-3"))] {
        facts.price = price;
        assert_eq!(metrics(&facts).yield_pct, None);
    }
}

#[test]
fn a_stopped_payer_yields_zero_and_one_that_never_paid_nothing() {
    let mut facts = payer(&[("2020-05-10", "1.00"), ("2021-05-10", "1.00")]);
    facts.price = Some(dec("20"));
    assert_eq!(metrics(&facts).yield_pct, Some(dec("0")));
    facts.dividends.clear();
    assert_eq!(metrics(&facts).yield_pct, None);
}

#[test]
fn the_average_is_the_mean_of_the_month_ends() {
    let mut facts = annual();
    // 12 months at 1.20 ÷ 20 = 6% and 48 at 1.20 ÷ 30 = 4%: (12 × 6 + 48 × 4) ÷ 60 = 4.4. The 61st month is too old.
    let closes = [&["20"; 12][..], &["30"; 48], &["1"]].concat();
    facts.closes = month_closes("2026-06-15", &closes);
    assert_eq!(metrics(&facts).yield_avg_5y_pct, Some(dec("4.4")));
    facts.closes.reverse();
    assert_eq!(metrics(&facts).yield_avg_5y_pct, Some(dec("4.4")));
}

#[test]
fn the_average_of_payments_in_another_currency_is_converted_at_todays_rate() {
    // 1.20 USD is 0.96 EUR at 1.25: 0.96 ÷ 30 = 3.2%. Without a rate, the provider's figure counts.
    let dollar = currency("USD");
    let mut facts = annual();
    facts.dividends.iter_mut().for_each(|row| row.currency = dollar);
    facts.closes = month_closes("2026-06-15", &["30"; 24]);
    facts.yield_avg_5y_pct = Some(dec("4.5"));
    let fx = Fx::new([(dollar, day("2020-01-02"), dec("1")), (dollar, day(TODAY), dec("1.25"))]);
    assert_eq!(ledger::metrics(&facts, &fx, day(TODAY)).yield_avg_5y_pct, Some(dec("3.2")));
    assert_eq!(metrics(&facts).yield_avg_5y_pct, Some(dec("4.5")));
}

#[test]
fn the_last_close_of_a_month_is_its_end() {
    let mut facts = annual();
    facts.closes = month_closes("2026-06-15", &["30"; 24]);
    let earlier: Vec<_> = month_closes("2026-06-02", &["1"; 24]);
    facts.closes.extend(earlier);
    // A close of nothing is none.
    facts.closes.extend(month_closes("2026-06-20", &["0"; 24]));
    assert_eq!(metrics(&facts).yield_avg_5y_pct, Some(dec("4")));
}

#[test]
fn months_without_a_close_and_the_current_month_are_left_out() {
    let mut facts = annual();
    facts.yield_avg_5y_pct = Some(dec("3.333"));
    // 24 closes, the newest in July 2026, which ends on the 31st. Under 24 the provider's figure stands in.
    facts.closes = month_closes("2026-07-15", &["30"; 24]);
    assert_eq!(metrics_on(&facts, "2026-07-30").yield_avg_5y_pct, Some(dec("3.33")));
    assert_eq!(metrics_on(&facts, "2026-07-31").yield_avg_5y_pct, Some(dec("4")));
    facts.closes[7].1 = dec("0");
    assert_eq!(metrics_on(&facts, "2026-07-31").yield_avg_5y_pct, Some(dec("3.33")));
    facts.yield_avg_5y_pct = None;
    assert_eq!(metrics_on(&facts, "2026-07-31").yield_avg_5y_pct, None);
}

#[test]
fn the_twelve_months_of_a_yield_end_with_the_last_day_of_the_month() {
    // Ex on 2025-06-30: inside the windows ending 2025-06-30 to 2026-05-31, outside the one ending 2026-06-30.
    let mut facts = payer(&[("2023-06-30", "2.00"), ("2024-06-30", "2.00"), ("2025-06-30", "1.00")]);
    facts.closes = month_closes("2026-06-15", &["20"; 24]);
    // June 2026: 0. June 2025 to May 2026: 12 × 5%. July 2024 to May 2025: 11 × 10%. (0 + 60 + 110) ÷ 24 = 7.08333
    assert_eq!(metrics(&facts).yield_avg_5y_pct, Some(dec("7.08")));
}

#[test]
fn months_before_a_full_first_year_do_not_lower_the_average() {
    // Quarterly from 2024-01-05: the window ending September 2024 holds three payments, October's holds four.
    // October 2024 to September 2026 are 24 months, each 4 × 0.25 ÷ 20 = 5%.
    let mut facts = pays_every(3, "2024-01-05", &["0.25"; 11]);
    facts.closes = month_closes("2026-09-15", &["20"; 60]);
    assert_eq!(metrics_on(&facts, "2026-09-30").yield_avg_5y_pct, Some(dec("5")));
    assert_eq!(metrics_on(&facts, "2026-09-29").yield_avg_5y_pct, None);
}

#[test]
fn the_first_full_window_of_twelve_months_counts_whatever_it_holds() {
    // The twelve months to 2025-06-30 begin on 2024-07-01, the first ex-date. Nothing was paid in January 2025, so the
    // seven windows ending June to December 2025 hold three payments, 3.75%, and the 17 to May 2027 four, 5%:
    // (7 × 3.75 + 17 × 5) ÷ 24 = 4.6354. Without June 2025 only 23 months would be left.
    let ex_dates =
        ["2024-07-01", "2024-10-01", "2025-04-01", "2025-07-01", "2025-10-01", "2026-01-01", "2026-04-01", "2026-07-01"];
    let later = ["2026-10-01", "2027-01-01", "2027-04-01"];
    let mut facts = payer(&ex_dates.iter().chain(&later).map(|ex_date| (*ex_date, "0.25")).collect::<Vec<_>>());
    facts.closes = month_closes("2027-05-15", &["20"; 24]);
    assert_eq!(metrics_on(&facts, "2027-05-31").yield_avg_5y_pct, Some(dec("4.64")));
}
