//! Dividends per year and the next payment, as pages show them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use jiff::civil::{Date, date};
use ledger::upcoming::{has_gone_ex, next, next_ex, next_pay};
use ledger::{Currency, Decimal, Facts, Fx, MarketDividend, Metrics, Money, metrics, share_pct, yield_on_cost_pct};

const TODAY: Date = date(2026, 11, 15);

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// Pays 0.25 on the 10th of March, June, September and December, ten days after the ex-date, from June 2023 on.
fn stock(skipped: &[Date], today: Date) -> Metrics {
    let quarters = (2023..=2026).flat_map(|year| [3, 6, 9, 12].map(|month| date(year, month, 10)));
    let paid = quarters.filter(|day| *day >= date(2023, 6, 1) && *day < TODAY && !skipped.contains(day));
    let dividend = |day: Date| MarketDividend {
        ex_date: day.saturating_sub(jiff::SignedDuration::from_hours(240)),
        pay_date: Some(day),
        amount: d("0.25"),
        currency: Currency::EUR,
        special: false,
    };
    let facts = Facts {
        currency: Currency::EUR,
        dividends: paid.map(dividend).collect(),
        splits: Vec::new(),
        closes: Vec::new(),
        price: Some(d("25")),
        forward_rate: None,
        payout_ratio: None,
        fcf_cover: None,
        pe: None,
        ma50: None,
        ma200: None,
        low52: None,
        high52: None,
        yield_avg_5y_pct: Some(d("3.2")),
        fund: false,
        lenient_payout: false,
    };
    metrics(&facts, &Fx::default(), today)
}

#[test]
fn years_are_plain_sums_and_show_whether_they_are_complete() {
    // 2023 began in June, so it has fewer payments than 2024. In 2025 a payment was left out: 3 × 0.25. Of 2026 three are known.
    let years: Vec<_> = stock(&[date(2025, 9, 10)], TODAY)
        .years
        .iter()
        .map(|year| (year.year, year.payments, year.total, year.complete, year.changed))
        .collect();
    let expected = [
        (2023, 3, d("0.75"), false, false),
        (2024, 4, d("1"), true, false),
        (2025, 3, d("0.75"), true, false),
        (2026, 3, d("0.75"), false, false),
    ];
    assert_eq!(years, expected);
}

#[test]
fn the_yield_is_compared_with_its_average_exactly() {
    // 1 a year at 25 is 4%; 4 ÷ 3.2.
    assert_eq!(stock(&[], TODAY).relative_yield, Some(d("1.25")));
}

#[test]
fn yield_on_cost_needs_a_cost_in_the_same_currency() {
    let stock = stock(&[], TODAY);
    let on = |cost: &str, currency| yield_on_cost_pct(&stock, Money::new(d(cost), currency));
    // 1 ÷ 15
    assert_eq!(on("15", Currency::EUR), Some(d("6.67")));
    assert_eq!(on("0", Currency::EUR), None);
    assert_eq!(on("15", Currency::parse("USD").unwrap()), None);
}

#[test]
fn the_next_pay_date_may_belong_to_an_ex_date_that_has_passed() {
    // Ex-dates are the last days of February, May, August and November, so the next is the last business day of November:
    // Monday the 30th. It is paid ten days later. The one after is the last business day of February.
    let today = stock(&[], TODAY);
    let next_ex_date = next_ex(&today, TODAY).unwrap();
    assert_eq!((next_ex_date.ex_date, next_ex_date.declared), (date(2026, 11, 30), false));
    assert_eq!(next_pay(&today, TODAY, |_| true).unwrap().pay_date, date(2026, 12, 10));
    let later = |item: &ledger::upcoming::Item| item.ex_date > date(2026, 12, 1);
    assert_eq!(next_pay(&today, TODAY, later).unwrap().ex_date, date(2027, 2, 26));
    assert_eq!(next(&today, TODAY, later).unwrap().ex_date, date(2027, 2, 26));
    assert_eq!(next(&today, TODAY, |_| false), None);
    // September's, ex on 31 August, comes next until the day on which it is paid.
    for (day, pay_date) in [
        (date(2026, 8, 31), date(2026, 9, 10)),
        (date(2026, 9, 10), date(2026, 9, 10)),
        (date(2026, 9, 11), date(2026, 12, 10)),
        (date(2026, 11, 30), date(2026, 12, 10)),
    ] {
        assert_eq!(next(&stock(&[], day), day, |_| true).unwrap().pay_date, pay_date, "{day}");
    }
}

#[test]
fn a_payment_to_come_has_gone_ex_from_its_ex_date_until_it_is_paid() {
    // Of September's, the ex-date was 31 August; December's is expected on 30 November.
    let on = [(2026, 8, 30), (2026, 8, 31), (2026, 9, 10), (2026, 9, 11), (2026, 11, 29), (2026, 11, 30)];
    let gone = on.map(|(year, month, day)| has_gone_ex(&stock(&[], date(year, month, day)), date(year, month, day)));
    assert_eq!(gone, [false, true, true, false, false, true]);
}

#[test]
fn a_share_is_a_percent_with_two_decimals() {
    assert_eq!(share_pct(d("1"), d("3")), Some(d("33.33")));
    assert_eq!(share_pct(d("1"), d("2")).unwrap().to_string(), "50.00");
    assert_eq!(share_pct(d("1"), d("0")), None);
}
