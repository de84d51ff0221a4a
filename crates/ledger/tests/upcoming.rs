//! Payments to come: declared, estimated, and those whose ex-date has passed.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use jiff::civil::{Date, date};
use ledger::upcoming::{Item, first_to_come, payments};
use ledger::{Currency, Decimal, Facts, Frequency, Fx, History, MarketDividend, Metrics, Payment, Safety, Scores, metrics};
use proptest::prelude::*;

const TODAY: Date = date(2026, 3, 10);

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn days_after(date: Date, days: i64) -> Date {
    date.checked_add(jiff::SignedDuration::from_hours(24 * days)).unwrap()
}

/// A stock that paid 0.25 on each ex-date, `lag_days` later.
fn stock(frequency: Option<Frequency>, forward_rate: &str, lag_days: i32, ex_dates: &[Date]) -> Metrics {
    let payment = |ex_date: &Date| Payment {
        ex_date: *ex_date,
        pay_date: days_after(*ex_date, lag_days.into()),
        pay_date_known: true,
        amount: d("0.25"),
        paid_amount: d("0.25"),
        special: false,
    };
    Metrics {
        history: History { payments: ex_dates.iter().map(payment).collect(), lag_days },
        frequency,
        stopped: frequency.is_none(),
        forward_rate: d(forward_rate),
        payment_months: Vec::new(),
        years: Vec::new(),
        streak_years: None,
        cagr_5y: None,
        growth: None,
        yield_pct: None,
        yield_fraction: None,
        yield_avg_5y_pct: None,
        relative_yield: None,
        safety: Safety::Unknown,
        safety_reasons: Vec::new(),
        scores: Scores::default(),
        ex_dividend_date: None,
    }
}

fn declared(ex_date: Date, pay_date: Date, per_share: &str) -> Item {
    Item { ex_date, pay_date, per_share: d(per_share), declared: true }
}

fn expected(ex_date: Date, pay_date: Date, per_share: &str) -> Item {
    Item { declared: false, ..declared(ex_date, pay_date, per_share) }
}

fn month_ends() -> Vec<Date> {
    let days = [(2025, 3, 31), (2025, 4, 30), (2025, 5, 30), (2025, 6, 30), (2025, 7, 31), (2025, 8, 29), (2025, 9, 30)];
    let more = [(2025, 10, 31), (2025, 11, 28), (2025, 12, 31), (2026, 1, 30), (2026, 2, 27)];
    days.into_iter().chain(more).map(|(year, month, day)| date(year, month, day)).collect()
}

#[test]
fn a_monthly_payer_repeats_the_month_of_last_year() {
    let monthly = stock(Some(Frequency::Monthly), "3.12", 15, &month_ends());
    // To 24 April. The last one went ex on 27 February and pays on 14 March. Next: 2025-03-31 a year on, 3.12 ÷ 12 = 0.26;
    // the one after goes ex on 30 April.
    let items = payments(&monthly, TODAY, 45);
    let passed = declared(date(2026, 2, 27), date(2026, 3, 14), "0.25");
    assert_eq!(items, [passed, expected(date(2026, 3, 31), date(2026, 4, 15), "0.26")]);
    let next = payments(&monthly, TODAY, 51);
    assert_eq!(next[2..], [expected(date(2026, 4, 30), date(2026, 5, 15), "0.26")]);
}

#[test]
fn thirteen_payments_in_a_year_do_not_shift_a_monthly_payer() {
    // First of the month, and January's already on the last day of December.
    let mut ex_dates: Vec<Date> =
        [2, 3, 3, 1, 1, 2, 1, 1, 2, 1, 3, 1].into_iter().zip(1..).map(|(day, month)| date(2025, month, day)).collect();
    ex_dates.push(date(2025, 12, 31));
    let monthly = stock(Some(Frequency::Monthly), "3.00", 10, &ex_dates);
    // Twelve payments before the next one is 2025-02-03, not 2025-01-02.
    let dates: Vec<Date> = payments(&monthly, date(2026, 1, 12), 60).iter().map(|item| item.ex_date).collect();
    assert_eq!(dates, [date(2026, 2, 3), date(2026, 3, 3)]);
}

#[test]
fn estimates_of_a_quarterly_payer_follow_its_declared_payment() {
    let ex_dates = [date(2025, 5, 15), date(2025, 8, 15), date(2025, 11, 14), date(2026, 3, 20)];
    let mut quarterly = stock(Some(Frequency::Quarterly), "1.04", 21, &ex_dates);
    quarterly.history.payments[3].paid_amount = d("0.27");
    // 120 days end on 8 July. 2025-05-15 a year on, and 21 days later; 1.04 ÷ 4 = 0.26
    let items = [declared(date(2026, 3, 20), date(2026, 4, 10), "0.27"), expected(date(2026, 5, 15), date(2026, 6, 5), "0.26")];
    assert_eq!(payments(&quarterly, TODAY, 120), items);
}

#[test]
fn interim_and_final_dividends_keep_their_uneven_dates() {
    let ex_dates = [date(2024, 4, 4), date(2024, 8, 8), date(2025, 4, 3), date(2025, 8, 7)];
    let uneven = stock(Some(Frequency::SemiAnnual), "0.30", 40, &ex_dates);
    assert_eq!(payments(&uneven, TODAY, 45), [expected(date(2026, 4, 3), date(2026, 5, 13), "0.15")]);
    // The day after, that estimate has passed unconfirmed: it is dropped, though its pay date lies ahead.
    assert_eq!(payments(&uneven, date(2026, 4, 4), 120), []);
    assert_eq!(payments(&uneven, date(2026, 4, 9), 120), [expected(date(2026, 8, 7), date(2026, 9, 16), "0.15")]);
}

#[test]
fn an_annual_payment_repeats_a_year_later() {
    let annual = stock(Some(Frequency::Annual), "1.00", 5, &[date(2024, 5, 10), date(2025, 5, 9)]);
    assert_eq!(payments(&annual, date(2026, 4, 1), 45), [expected(date(2026, 5, 9), date(2026, 5, 14), "1.00")]);
    assert_eq!(payments(&annual, date(2026, 5, 10), 120), []);
}

#[test]
fn a_payment_on_29_february_repeats_on_28_february() {
    let annual = stock(Some(Frequency::Annual), "1.00", 1, &[date(2024, 2, 29)]);
    assert_eq!(payments(&annual, date(2025, 2, 20), 30), [expected(date(2025, 2, 28), date(2025, 3, 1), "1.00")]);
}

#[test]
fn a_history_shorter_than_a_year_repeats_at_the_nominal_gap() {
    let young = stock(Some(Frequency::Quarterly), "1.00", 14, &[date(2025, 12, 1), date(2026, 2, 27)]);
    let ex_dates = |today, days| payments(&young, today, days).iter().map(|item| item.ex_date).collect::<Vec<_>>();
    // 2026-02-27 + 91 days; again + 91 days; then four payments before is 2025-12-01
    assert_eq!(ex_dates(date(2026, 3, 14), 80), [date(2026, 5, 29)]);
    assert_eq!(ex_dates(date(2026, 8, 1), 122), [date(2026, 8, 28), date(2026, 12, 1)]);
}

#[test]
fn no_estimate_falls_before_the_last_known_payment() {
    // The September payment never came: 2024-12-10 a year on lies before the declared 2025-12-12.
    let ex_dates = [date(2024, 12, 10), date(2025, 3, 10), date(2025, 6, 10), date(2025, 12, 12)];
    let skipping = stock(Some(Frequency::Quarterly), "1.00", 10, &ex_dates);
    let items =
        [declared(date(2025, 12, 12), date(2025, 12, 22), "0.25"), expected(date(2026, 3, 10), date(2026, 3, 20), "0.25")];
    assert_eq!(payments(&skipping, date(2025, 12, 9), 100), items);
}

#[test]
fn no_estimate_repeats_the_last_known_payment() {
    // Half of a year's payments are missing, so that the first estimate is a year after the one before the last: the last itself.
    let half = stock(Some(Frequency::SemiAnnual), "2.00", 5, &[date(2025, 3, 12), date(2026, 3, 12)]);
    assert_eq!(payments(&half, TODAY, 120), [declared(date(2026, 3, 12), date(2026, 3, 17), "0.25")]);
}

#[test]
fn estimates_reach_three_years_ahead() {
    let quarterly =
        stock(Some(Frequency::Quarterly), "2.00", 5, &[date(2025, 5, 9), date(2025, 8, 9), date(2025, 11, 9), date(2026, 2, 9)]);
    let all = payments(&quarterly, TODAY, 2_000);
    assert_eq!((all.len(), all[0].ex_date, all[11].ex_date), (12, date(2026, 5, 9), date(2029, 2, 9)));
}

#[test]
fn estimates_from_two_years_on_one_day_are_one_payment() {
    // Two a year are due but one came: 2024-06-03 two years on, and 2025-06-03 one year on.
    let slow = stock(Some(Frequency::SemiAnnual), "0.50", 10, &[date(2024, 6, 3), date(2025, 6, 3)]);
    assert_eq!(payments(&slow, TODAY, 120), [expected(date(2026, 6, 3), date(2026, 6, 13), "0.25")]);
}

#[test]
fn a_stopped_payer_has_only_its_declared_payments() {
    let stopped = stock(None, "0", 15, &month_ends());
    assert_eq!(payments(&stopped, TODAY, 120), [declared(date(2026, 2, 27), date(2026, 3, 14), "0.25")]);
    assert_eq!(payments(&stopped, date(2026, 3, 15), 120), []);
    let nothing_known = stock(Some(Frequency::Monthly), "1.00", 15, &[]);
    assert_eq!(payments(&nothing_known, TODAY, 120), []);
}

#[test]
fn estimates_end_once_a_payer_has_stopped() {
    let quarters = [date(2025, 3, 14), date(2025, 6, 13), date(2025, 9, 12), date(2025, 12, 12)];
    let paid = |ex_date| MarketDividend { ex_date, pay_date: None, amount: d("0.25"), currency: Currency::EUR, special: false };
    let facts = Facts { dividends: quarters.map(paid).into(), ..no_facts() };
    let ex_dates = |today| {
        let items = payments(&metrics(&facts, &Fx::default(), today), today, 120);
        items.iter().map(|item| (item.ex_date, item.pay_date)).collect::<Vec<_>>()
    };
    // No pay date is known: 21 days. March's has passed unconfirmed on 10 May; 2025-06-13 a year on is still expected.
    assert_eq!(ex_dates(date(2026, 5, 10)), [(date(2026, 6, 13), date(2026, 7, 4))]);
    // Stopped after 1.5 × 91 + 30 = 166.5 days of silence: 166 end on 27 May.
    assert_eq!(ex_dates(date(2026, 5, 27)).len(), 2);
    assert_eq!(ex_dates(date(2026, 5, 28)), []);
}

fn no_facts() -> Facts {
    Facts {
        currency: Currency::EUR,
        dividends: Vec::new(),
        splits: Vec::new(),
        closes: Vec::new(),
        price: None,
        forward_rate: None,
        payout_ratio: None,
        fcf_cover: None,
        pe: None,
        ma50: None,
        ma200: None,
        low52: None,
        high52: None,
        yield_avg_5y_pct: None,
        fund: false,
        lenient_payout: false,
    }
}

#[test]
fn a_declared_special_is_listed_and_never_repeated() {
    let mut annual = stock(Some(Frequency::Annual), "1.00", 5, &[date(2025, 4, 9), date(2026, 3, 12)]);
    annual.history.payments[1].special = true;
    annual.history.payments[1].paid_amount = d("3");
    let items = [declared(date(2026, 3, 12), date(2026, 3, 17), "3"), expected(date(2026, 4, 9), date(2026, 4, 14), "1.00")];
    assert_eq!(payments(&annual, TODAY, 120), items);
    assert_eq!(payments(&annual, date(2027, 2, 1), 60), []);
}

#[test]
fn the_window_includes_today_and_its_last_day() {
    let on = |ex_date, days| payments(&stock(None, "0", 30, &[ex_date]), TODAY, days).len();
    assert_eq!(on(TODAY, 1), 1);
    assert_eq!(on(days_after(TODAY, 45), 45), 1);
    assert_eq!(on(days_after(TODAY, 46), 45), 0);
    // Paid today, and yesterday.
    assert_eq!(on(days_after(TODAY, -30), 45), 1);
    assert_eq!(on(days_after(TODAY, -31), 45), 0);
}

#[test]
fn items_are_ordered_by_their_next_date() {
    // Ex yesterday and paid on the 20th comes after ex on the 12th and paid on the 23rd.
    let both = stock(None, "0", 11, &[date(2026, 3, 9), date(2026, 3, 12)]);
    let dates: Vec<Date> = payments(&both, TODAY, 45).iter().map(|item| item.ex_date).collect();
    assert_eq!(dates, [date(2026, 3, 12), date(2026, 3, 9)]);
    assert_eq!(first_to_come(date(2026, 3, 10), date(2026, 3, 20), TODAY), date(2026, 3, 10));
    assert_eq!(first_to_come(date(2026, 3, 9), date(2026, 3, 20), TODAY), date(2026, 3, 20));
}

proptest! {
    #[test]
    fn every_item_has_a_date_in_the_window_and_they_come_in_order(
        gaps in prop::collection::vec(1i64..400, 1..70),
        frequency in prop::sample::select(vec![Frequency::Weekly, Frequency::Monthly, Frequency::Quarterly, Frequency::SemiAnnual]),
        today in 0i64..9_000,
        days in 1i32..=120,
        lag in 0i32..60,
    ) {
        let ex_dates: Vec<Date> = gaps.iter().scan(date(2020, 1, 1), |day, gap| { *day = days_after(*day, *gap); Some(*day) }).collect();
        let (today, last) = (days_after(date(2020, 1, 1), today), ex_dates[ex_dates.len() - 1]);
        let items = payments(&stock(Some(frequency), "1.00", lag, &ex_dates), today, days);
        let held = |date: Date| today <= date && date <= days_after(today, days.into());
        prop_assert!(items.iter().all(|item| held(item.ex_date) || held(item.pay_date)));
        prop_assert!(items.iter().filter(|item| !item.declared).all(|item| item.ex_date >= today && item.ex_date > last));
        prop_assert!(items.is_sorted_by_key(|item| first_to_come(item.ex_date, item.pay_date, today)));
        let known = ex_dates.iter().filter(|day| held(**day) || held(days_after(**day, lag.into()))).count();
        prop_assert_eq!(items.iter().filter(|item| item.declared).count(), known);
    }
}
