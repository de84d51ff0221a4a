//! Payments to come: declared, estimated, and those whose ex-date has passed.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use jiff::civil::{Date, Weekday, date};
use ledger::upcoming::{Item, announced, first_to_come, payments};
use ledger::{Currency, Decimal, Facts, Fx, MarketDividend, Money, Ratio, Split, metrics};
use proptest::prelude::*;

const TODAY: Date = date(2026, 3, 10);

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn days_after(date: Date, days: i64) -> Date {
    date.checked_add(jiff::SignedDuration::from_hours(24 * days)).unwrap()
}

fn paid(ex_date: Date, lag_days: i64, amount: &str) -> MarketDividend {
    let pay_date = Some(days_after(ex_date, lag_days));
    MarketDividend { ex_date, pay_date, amount: d(amount), currency: Currency::EUR, special: false }
}

/// A stock that paid 0.25 on each ex-date, `lag_days` later.
fn stock(lag_days: i64, ex_dates: &[Date]) -> Facts {
    of(ex_dates.iter().map(|ex_date| paid(*ex_date, lag_days, "0.25")).collect())
}

fn of(dividends: Vec<MarketDividend>) -> Facts {
    Facts {
        currency: Currency::EUR,
        dividends,
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

fn items(facts: &Facts, today: Date, days: i32) -> Vec<Item> {
    payments(&metrics(facts, &Fx::default(), today), today, days)
}

/// Ex-date, pay date, amount, whether declared.
type Short = (Date, Date, Decimal, bool);

fn short(facts: &Facts, today: Date, days: i32) -> Vec<Short> {
    items(facts, today, days).iter().map(|item| (item.ex_date, item.pay_date, item.per_share.amount, item.declared)).collect()
}

fn ex_dates(facts: &Facts, today: Date, days: i32) -> Vec<Date> {
    items(facts, today, days).iter().map(|item| item.ex_date).collect()
}

fn declared(ex_date: Date, pay_date: Date, per_share: &str) -> Short {
    (ex_date, pay_date, d(per_share), true)
}

fn expected(ex_date: Date, pay_date: Date, per_share: &str) -> Short {
    (ex_date, pay_date, d(per_share), false)
}

/// The last business day of each month.
fn month_ends() -> Vec<Date> {
    let days = [(2025, 3, 31), (2025, 4, 30), (2025, 5, 30), (2025, 6, 30), (2025, 7, 31), (2025, 8, 29), (2025, 9, 30)];
    let more = [(2025, 10, 31), (2025, 11, 28), (2025, 12, 31), (2026, 1, 30), (2026, 2, 27)];
    days.into_iter().chain(more).map(|(year, month, day)| date(year, month, day)).collect()
}

#[test]
fn a_monthly_payer_keeps_its_business_day() {
    let mut monthly = stock(15, &month_ends());
    monthly.dividends[11].amount = d("0.26");
    // To 24 April. The last one went ex on 27 February and pays on 14 March. Next: the last business days of March and April,
    // 12 × 0.26 ÷ 12.
    let passed = declared(date(2026, 2, 27), date(2026, 3, 14), "0.26");
    assert_eq!(short(&monthly, TODAY, 45), [passed, expected(date(2026, 3, 31), date(2026, 4, 15), "0.26")]);
    let next = short(&monthly, TODAY, 51);
    assert_eq!(next[2..], [expected(date(2026, 4, 30), date(2026, 5, 15), "0.26")]);
}

#[test]
fn an_item_is_compared_with_the_payment_a_year_earlier() {
    let mut monthly = stock(15, &month_ends());
    monthly.dividends[11].amount = d("0.26");
    let items = items(&monthly, TODAY, 45);
    // The nearest to 27 February 2025 is 31 March, more than 20 days off.
    assert_eq!((items[0].previous_per_share, items[0].change()), (None, None));
    // 0.26 ÷ 0.25 − 1
    assert_eq!(items[1].previous_per_share, Some(Money::new(d("0.25"), Currency::EUR)));
    assert_eq!(items[1].change(), Some(d("0.04")));
}

#[test]
fn thirteen_payments_in_a_year_do_not_shift_a_monthly_payer() {
    // First of the month, and January's already on the last day of December.
    let mut known: Vec<Date> =
        [2, 3, 3, 1, 1, 2, 1, 1, 2, 1, 3, 1].into_iter().zip(1..).map(|(day, month)| date(2025, month, day)).collect();
    known.push(date(2025, 12, 31));
    // 364 days after 2 January 2025 is 1 January, and the business day before it 31 December: the only rule that was right. A
    // year before the next one is 3 February, not 2 January.
    assert_eq!(ex_dates(&stock(10, &known), date(2026, 1, 12), 60), [date(2026, 2, 2), date(2026, 3, 2)]);
}

#[test]
fn estimates_of_a_quarterly_payer_follow_its_declared_payment() {
    let known = [date(2025, 5, 15), date(2025, 8, 15), date(2025, 11, 14), date(2026, 3, 20)];
    let mut quarterly = stock(21, &known);
    quarterly.dividends[3].amount = d("0.27");
    // 120 days end on 8 July. March came a month late, so three months after the last one says little. 15 May 2025 is the twelfth
    // business day from the month's end, and so is 14 May 2026; 4 × 0.27 ÷ 4.
    let items = [declared(date(2026, 3, 20), date(2026, 4, 10), "0.27"), expected(date(2026, 5, 14), date(2026, 6, 4), "0.27")];
    assert_eq!(short(&quarterly, TODAY, 120), items);
}

#[test]
fn interim_and_final_dividends_keep_their_uneven_dates() {
    let uneven = of(vec![
        paid(date(2024, 4, 4), 40, "0.20"),
        paid(date(2024, 8, 8), 40, "0.10"),
        paid(date(2025, 4, 3), 40, "0.20"),
        paid(date(2025, 8, 7), 40, "0.10"),
    ]);
    // 3 April 2025 is the 20th business day from the month's end, 7 August the 17th; a year later they are the same dates.
    // (0.20 + 0.10) ÷ 2
    assert_eq!(short(&uneven, TODAY, 45), [expected(date(2026, 4, 3), date(2026, 5, 13), "0.15")]);
    // The day after, that estimate has passed unconfirmed: it is dropped, though its pay date lies ahead.
    assert_eq!(short(&uneven, date(2026, 4, 4), 120), []);
    assert_eq!(short(&uneven, date(2026, 4, 9), 120), [expected(date(2026, 8, 7), date(2026, 9, 16), "0.15")]);
}

#[test]
fn an_annual_payment_repeats_a_year_later() {
    // 9 May 2025 is the 16th business day from the month's end, as is 8 May 2026.
    let annual = stock(5, &[date(2024, 5, 10), date(2025, 5, 9)]);
    assert_eq!(short(&annual, date(2026, 4, 1), 45), [expected(date(2026, 5, 8), date(2026, 5, 13), "0.25")]);
    assert_eq!(short(&annual, date(2026, 5, 10), 120), []);
}

#[test]
fn two_payments_are_enough_for_an_estimate() {
    // No rule can be judged, so all votes are equal: 29 (the last business day, and between 27 May and 1 June), 28 (the 20th
    // business day), 27 (the same date), 26 (88 days) and 22 May (a week after the third Friday). The 28th is nearest to all.
    let young = stock(14, &[date(2025, 12, 1), date(2026, 2, 27)]);
    assert_eq!(ex_dates(&young, date(2026, 3, 14), 80), [date(2026, 5, 28)]);
    assert_eq!(ex_dates(&young, date(2026, 8, 1), 122), [date(2026, 8, 28), date(2026, 11, 27)]);
    // One payment is not.
    assert_eq!(ex_dates(&stock(14, &[date(2026, 2, 27)]), date(2026, 3, 14), 120), []);
}

#[test]
fn the_rules_vote_if_none_was_near() {
    let mays = |days: [i8; 10]| stock(5, &days.into_iter().zip(2016..).map(|(day, year)| date(year, 5, day)).collect::<Vec<_>>());
    // The median of 14 May 2025, 15 May 2024 and 15 May 2023 is the 15th. That rule has 27 points over 36 payment weights: near.
    let near = mays([23, 15, 16, 18, 16, 15, 16, 15, 15, 14]);
    assert_eq!(ex_dates(&near, date(2026, 1, 10), 200), [date(2026, 5, 15)]);
    // With 28 points it is not, and most rules lead to the 14th.
    let off = mays([18, 15, 19, 17, 15, 19, 14, 15, 15, 14]);
    assert_eq!(ex_dates(&off, date(2026, 1, 10), 200), [date(2026, 5, 14)]);
}

#[test]
fn the_year_before_counts_although_payments_paused_since() {
    // No payment in September. Since the pause: the second Fridays of December and March. Six of the seven rules that start from
    // the fourth Friday of June lead to 26 June, the six that start from 13 March to 10 to 12 June.
    let known = [(2024, 9, 27), (2024, 12, 27), (2025, 3, 28), (2025, 6, 27), (2025, 12, 12), (2026, 3, 13)];
    let paused = stock(5, &known.map(|(year, month, day)| date(year, month, day)));
    assert_eq!(ex_dates(&paused, date(2026, 4, 1), 90), [date(2026, 6, 26)]);
}

#[test]
fn estimates_reach_past_every_window() {
    // Fridays, 91 days apart: the 16th business day from the end of May, August, November and February. 400 days end on 14
    // April 2027.
    let quarterly = stock(5, &[date(2025, 5, 9), date(2025, 8, 8), date(2025, 11, 7), date(2026, 2, 6)]);
    let all = ex_dates(&quarterly, TODAY, 2_000);
    assert_eq!(all, [date(2026, 5, 8), date(2026, 8, 10), date(2026, 11, 9), date(2027, 2, 5)]);
}

#[test]
fn a_payer_without_a_rhythm_has_only_its_declared_payments() {
    let single = stock(15, &[date(2026, 2, 27)]);
    assert_eq!(short(&single, TODAY, 120), [declared(date(2026, 2, 27), date(2026, 3, 14), "0.25")]);
    assert_eq!(short(&single, date(2026, 3, 15), 120), []);
    assert_eq!(short(&stock(15, &[]), TODAY, 120), []);
}

#[test]
fn estimates_end_once_a_payer_has_stopped() {
    let quarters = [date(2025, 3, 14), date(2025, 6, 13), date(2025, 9, 12), date(2025, 12, 12)];
    let facts = of(quarters.map(|ex_date| MarketDividend { pay_date: None, ..paid(ex_date, 0, "0.25") }).into());
    let dates = |today| short(&facts, today, 120).iter().map(|(ex_date, pay_date, ..)| (*ex_date, *pay_date)).collect::<Vec<_>>();
    // No pay date is known: 21 days. March's has passed unconfirmed on 10 May; the tenth business day of June is still expected.
    assert_eq!(dates(date(2026, 5, 10)), [(date(2026, 6, 12), date(2026, 7, 3))]);
    // Stopped after 1.5 × 91 + 30 = 166.5 days of silence: 166 end on 27 May.
    assert_eq!(dates(date(2026, 5, 27)).len(), 2);
    assert_eq!(dates(date(2026, 5, 28)), []);
}

#[test]
fn estimates_avoid_weekends_new_year_and_christmas() {
    // A weekly payer on Thursdays: Christmas and New Year's Day move to the Wednesday before. What is paid the day after the
    // ex-date would be paid on Christmas, and is on the 26th.
    let thursdays: Vec<Date> = (0..7).map(|week| days_after(date(2025, 11, 6), 7 * week)).collect();
    let weekly = stock(1, &thursdays);
    let expected = [
        expected(date(2025, 12, 24), date(2025, 12, 26), "0.25"),
        expected(date(2025, 12, 31), date(2026, 1, 2), "0.25"),
        expected(date(2026, 1, 8), date(2026, 1, 9), "0.25"),
    ];
    assert_eq!(short(&weekly, date(2025, 12, 20), 20), expected);
}

#[test]
fn a_payment_after_an_announced_split_is_expected_for_the_new_shares() {
    // 100 shares become 200 on 15 April. 0.13 is declared for each of them in May, which is 0.26 for one of today's: 4 × 0.26 a
    // year.
    let mut facts = stock(21, &[date(2025, 5, 8), date(2025, 8, 7), date(2025, 11, 6), date(2026, 2, 5)]);
    facts.dividends.push(paid(date(2026, 5, 7), 21, "0.13"));
    facts.splits.push(Split { date: date(2026, 4, 15), ratio: Ratio::parse("2:1").unwrap() });
    let stock = metrics(&facts, &Fx::default(), TODAY);
    assert_eq!(stock.forward_rate, d("1.04"));
    let items = payments(&stock, TODAY, 180);
    let shares = |item: &Item| d("100") * announced(&facts.splits, TODAY, item.ex_date).unwrap();
    let paid: Vec<_> = items.iter().map(|item| (item.declared, shares(item), shares(item) * item.per_share.amount)).collect();
    assert_eq!(paid, [(true, d("200"), d("26")), (false, d("200"), d("26"))]);
    // 0.25 a year before is 0.125 for a new share.
    assert_eq!(items[0].previous_per_share, Some(Money::new(d("0.125"), Currency::EUR)));
    assert_eq!(items[0].change(), Some(d("0.04")));
    // Before the day of the split, a share is a share.
    assert_eq!(announced(&facts.splits, TODAY, date(2026, 4, 14)), Some(d("1")));
    assert_eq!(announced(&facts.splits, date(2026, 4, 15), date(2026, 5, 7)), Some(d("1")));
}

#[test]
fn a_payment_that_went_ex_before_a_split_is_per_old_share() {
    // Ex on 5 March, split 2:1 on the 9th, paid on the 26th: 0.26 for an old share, after 0.25 a year before.
    let mut facts = stock(21, &[date(2025, 3, 6), date(2025, 6, 5), date(2025, 9, 4), date(2025, 12, 4)]);
    facts.dividends.push(paid(date(2026, 3, 5), 21, "0.26"));
    facts.splits.push(Split { date: date(2026, 3, 9), ratio: Ratio::parse("2:1").unwrap() });
    let items = items(&facts, TODAY, 45);
    assert_eq!((items[0].ex_date, items[0].per_share.amount), (date(2026, 3, 5), d("0.26")));
    assert_eq!(items[0].previous_per_share, Some(Money::new(d("0.25"), Currency::EUR)));
    assert_eq!(items[0].change(), Some(d("0.04")));
    // For a share of today it is half of that: 4 × 0.13.
    assert_eq!(metrics(&facts, &Fx::default(), TODAY).forward_rate, d("0.52"));
}

#[test]
fn a_declared_special_is_listed_and_never_repeated() {
    let mut annual = stock(5, &[date(2024, 4, 9), date(2025, 4, 9)]);
    annual.dividends.push(MarketDividend { special: true, ..paid(date(2026, 3, 12), 5, "3") });
    // 9 April is the 16th business day from the month's end, in both years.
    let items = [declared(date(2026, 3, 12), date(2026, 3, 17), "3"), expected(date(2026, 4, 9), date(2026, 4, 14), "0.25")];
    assert_eq!(short(&annual, TODAY, 120), items);
    assert_eq!(short(&annual, date(2026, 10, 1), 120), []);
}

#[test]
fn the_window_includes_today_and_its_last_day() {
    let on = |ex_date, days| items(&stock(30, &[ex_date]), TODAY, days).len();
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
    let mut both = stock(11, &[date(2026, 3, 9), date(2026, 3, 12)]);
    both.dividends.iter_mut().for_each(|row| row.special = true);
    assert_eq!(ex_dates(&both, TODAY, 45), [date(2026, 3, 12), date(2026, 3, 9)]);
    assert_eq!(first_to_come(date(2026, 3, 10), date(2026, 3, 20), TODAY), date(2026, 3, 10));
    assert_eq!(first_to_come(date(2026, 3, 9), date(2026, 3, 20), TODAY), date(2026, 3, 20));
}

proptest! {
    #[test]
    fn every_item_has_a_date_in_the_window_and_they_come_in_order(
        gaps in prop::collection::vec(1i64..400, 1..70),
        after_last in -500i64..600,
        days in 1i32..=120,
        lag in 0i64..60,
    ) {
        let known: Vec<Date> = gaps.iter().scan(date(2020, 1, 1), |day, gap| { *day = days_after(*day, *gap); Some(*day) }).collect();
        let last = known[known.len() - 1];
        let today = days_after(last, after_last);
        let items = items(&stock(lag, &known), today, days);
        let held = |date: Date| today <= date && date <= days_after(today, days.into());
        prop_assert!(items.iter().all(|item| held(item.ex_date) || held(item.pay_date)));
        prop_assert!(items.is_sorted_by_key(|item| first_to_come(item.ex_date, item.pay_date, today)));
        let is_business_day = |date: Date| {
            let holiday = [(1, 1), (12, 25)].contains(&(date.month(), date.day()));
            !holiday && ![Weekday::Saturday, Weekday::Sunday].contains(&date.weekday())
        };
        for item in items.iter().filter(|item| !item.declared) {
            prop_assert!(item.ex_date >= today && item.ex_date > last, "{}", item.ex_date);
            prop_assert!(is_business_day(item.ex_date) && is_business_day(item.pay_date), "{} {}", item.ex_date, item.pay_date);
        }
        let in_window = known.iter().filter(|day| held(**day) || held(days_after(**day, lag))).count();
        prop_assert_eq!(items.iter().filter(|item| item.declared).count(), in_window);
    }
}
