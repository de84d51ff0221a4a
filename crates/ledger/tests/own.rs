//! A stock's history from the dividends that its owner recorded.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use jiff::civil::{Date, date};
use ledger::{Currency, Decimal, Dividend, Entry, Event, Ratio, Split, Trade, own_dividends};

const TODAY: Date = date(2026, 7, 15);

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn entry(sequence: i64, date: Date, event: Event) -> Entry {
    Entry { date, sequence, currency: Currency::EUR, fx_rate: None, event }
}

fn buy(date: Date, shares: &str) -> Entry {
    entry(1, date, Event::Buy(Trade { shares: d(shares), amount: d("1"), fees: d("0"), cost_known: true }))
}

fn split(sequence: i64, date: Date, ratio: &str) -> Entry {
    entry(sequence, date, Event::Split(Ratio::parse(ratio).unwrap()))
}

fn gross(amount: &str) -> Dividend {
    Dividend {
        gross: d(amount),
        gross_known: true,
        tax: None,
        fees: None,
        ex_date: None,
        net: None,
        shares: None,
        per_share: None,
        estimated: false,
    }
}

fn paid(sequence: i64, date: Date, dividend: Dividend) -> Entry {
    entry(sequence, date, Event::Dividend(dividend))
}

/// Ex-date, pay date, amount per share.
fn history(lots: &[&[Entry]], fund: bool) -> Vec<(Date, Date, Decimal)> {
    let rows = own_dividends(lots, &[], fund, TODAY, |_| ()).unwrap();
    rows.iter().map(|row| (row.ex_date, row.pay_date.unwrap(), row.amount)).collect()
}

#[test]
fn a_recorded_dividend_is_divided_by_the_shares_it_was_paid_for() {
    let lot = [
        buy(date(2025, 1, 10), "40"),
        // 10 ÷ 40, held before the ex-date
        paid(2, date(2025, 3, 20), Dividend { ex_date: Some(date(2025, 3, 2)), ..gross("10") }),
        entry(3, date(2025, 3, 10), Event::Buy(Trade { shares: d("60"), amount: d("1"), fees: d("0"), cost_known: true })),
        // 25 ÷ 50, as recorded
        paid(4, date(2025, 6, 20), Dividend { ex_date: Some(date(2025, 6, 2)), shares: Some(d("50")), ..gross("25") }),
        // 30 ÷ 100
        paid(5, date(2025, 9, 20), Dividend { ex_date: Some(date(2025, 9, 2)), ..gross("30") }),
        // After today.
        paid(6, date(2026, 7, 16), gross("30")),
    ];
    let expected = [
        (date(2025, 3, 2), date(2025, 3, 20), d("0.25")),
        (date(2025, 6, 2), date(2025, 6, 20), d("0.50")),
        (date(2025, 9, 2), date(2025, 9, 20), d("0.30")),
    ];
    assert_eq!(history(&[&lot], false), expected);
}

#[test]
fn a_missing_ex_date_is_the_payment_date_less_the_stocks_own_lag() {
    let lag = |day, ex| Dividend { ex_date: Some(date(2025, day, ex)), ..gross("10") };
    let missing = paid(9, date(2025, 12, 20), gross("10"));
    let ex_date = |rows: &[Entry], fund| history(&[&[&[buy(date(2025, 1, 10), "10")], rows].concat()], fund).last().unwrap().0;
    // Lags of 10 and 15 days: 12.
    let rows = [paid(2, date(2025, 3, 20), lag(3, 10)), paid(3, date(2025, 6, 20), lag(6, 5)), missing.clone()];
    assert_eq!(ex_date(&rows, false), date(2025, 12, 8));
    // None known: 21 days, 5 for a fund.
    assert_eq!(ex_date(std::slice::from_ref(&missing), false), date(2025, 11, 29));
    assert_eq!(ex_date(std::slice::from_ref(&missing), true), date(2025, 12, 15));
}

#[test]
fn a_dividend_paid_after_the_purchase_but_ex_before_it_counts_the_shares_at_payment() {
    // A recorded ex-date before the purchase is a mistake in the record: the 10 held on the payment date count.
    let lot =
        [buy(date(2025, 3, 10), "10"), paid(2, date(2025, 3, 20), Dividend { ex_date: Some(date(2025, 3, 2)), ..gross("5") })];
    assert_eq!(history(&[&lot], false), [(date(2025, 3, 2), date(2025, 3, 20), d("0.5"))]);
    // Nothing held then either: it cannot be divided.
    assert_eq!(history(&[&lot[1..]], false), []);
}

#[test]
fn a_reversal_takes_out_the_latest_equal_payment_before_it() {
    let at = |month, sequence, amount| paid(sequence, date(2025, month, 20), gross(amount));
    let lot = [buy(date(2025, 1, 10), "10"), at(3, 2, "10"), at(4, 3, "10"), at(5, 4, "-10"), at(6, 5, "12"), at(7, 6, "-11")];
    let amounts: Vec<_> = history(&[&lot], true).iter().map(|(ex_date, _, amount)| (ex_date.month(), *amount)).collect();
    // April's is reversed; -11 has no partner.
    assert_eq!(amounts, [(3, d("1")), (6, d("1.2"))]);
    // A reversal in another currency has none either.
    let mut other = lot.to_vec();
    other[3].currency = Currency::parse("USD").unwrap();
    assert_eq!(history(&[&other], true).len(), 3);
}

#[test]
fn payments_of_several_portfolios_on_one_ex_date_are_one() {
    let lot = |shares, pay_day, amount| {
        let dividend = Dividend { ex_date: Some(date(2025, 3, 2)), ..gross(amount) };
        [buy(date(2025, 1, 10), shares), paid(2, date(2025, 3, pay_day), dividend)]
    };
    // (10 + 5) ÷ (100 + 50), paid on the earlier day.
    let (first, second) = (lot("100", 21, "10"), lot("50", 20, "5"));
    assert_eq!(history(&[&first, &second], false), [(date(2025, 3, 2), date(2025, 3, 20), d("0.1"))]);
    // A reversal in one portfolio leaves the other's payment.
    let reversed = [first.to_vec(), vec![paid(3, date(2025, 4, 1), gross("-10"))]].concat();
    assert_eq!(history(&[&reversed, &second], false), [(date(2025, 3, 2), date(2025, 3, 20), d("0.1"))]);
    assert_eq!(history(&[&reversed], false), []);
}

#[test]
fn the_net_counts_where_only_the_net_is_known() {
    let net = Dividend { gross_known: false, net: Some(d("8.50")), ..gross("8.50") };
    let lot = [buy(date(2025, 1, 10), "10"), paid(2, date(2025, 3, 20), net)];
    assert_eq!(history(&[&lot], true), [(date(2025, 3, 15), date(2025, 3, 20), d("0.85"))]);
}

#[test]
fn each_portfolio_counts_its_own_splits() {
    let market = |date, ratio| Split { date, ratio: Ratio::parse(ratio).unwrap() };
    let splits = [market(date(2024, 5, 2), "3:1"), market(date(2025, 5, 2), "2:1")];
    let on = |day| Dividend { ex_date: Some(day), ..gross("12") };
    // Two brokers booked the second split, on different days; market data books it for the third.
    let first =
        [buy(date(2024, 1, 10), "10"), split(2, date(2025, 4, 5), "2:1"), paid(3, date(2025, 3, 20), on(date(2025, 3, 2)))];
    let second =
        [buy(date(2025, 1, 10), "10"), split(2, date(2025, 5, 30), "2:1"), paid(3, date(2025, 3, 20), on(date(2025, 3, 2)))];
    let third = [buy(date(2025, 1, 10), "10"), paid(2, date(2025, 3, 20), on(date(2025, 3, 2)))];
    // 10 shares become 30 and 60 in the first, and 20 in the others: 36 ÷ 100
    let all = own_dividends(&[&first, &second, &third], &splits, false, TODAY, |_| ()).unwrap();
    assert_eq!(all.iter().map(|row| row.amount).collect::<Vec<_>>(), [d("0.36")]);
}

#[test]
fn the_shares_of_an_ex_date_on_the_day_of_a_split_are_new_ones() {
    let splits = [Split { date: date(2025, 3, 2), ratio: Ratio::parse("2:1").unwrap() }];
    let lot =
        [buy(date(2025, 1, 10), "10"), paid(2, date(2025, 3, 20), Dividend { ex_date: Some(date(2025, 3, 2)), ..gross("10") })];
    // 10 ÷ 20
    assert_eq!(own_dividends(&[&lot], &splits, false, TODAY, |_| ()).unwrap()[0].amount, d("0.5"));
}

#[test]
fn shares_held_before_a_payment_are_counted_in_those_of_today() {
    let splits = [Split { date: date(2025, 3, 10), ratio: Ratio::parse("1:10").unwrap() }];
    let paid_on = |day| {
        let lot = [buy(date(2025, 1, 10), "40"), paid(2, day, gross("10"))];
        own_dividends(&[&lot], &splits, false, TODAY, |_| ()).unwrap()[0].amount
    };
    // 4 of today's shares, whether the payment comes before the split, with it or after it.
    for day in [date(2025, 3, 9), date(2025, 3, 10), date(2025, 3, 11), date(2025, 3, 31)] {
        assert_eq!(paid_on(day), d("2.5"), "{day}");
    }
}

#[test]
fn a_reversed_dividend_says_nothing_about_the_days_from_ex_date_to_payment() {
    let with_ex = |amount: &str| Dividend { ex_date: Some(date(2025, 3, 10)), ..gross(amount) };
    let lot = [
        buy(date(2025, 1, 10), "10"),
        paid(2, date(2025, 3, 20), with_ex("10")),
        paid(3, date(2025, 3, 21), with_ex("-10")),
        paid(4, date(2025, 6, 20), gross("10")),
    ];
    // 21 days, as for every company of which no payment shows them: 2025-05-30.
    assert_eq!(history(&[&lot], false), [(date(2025, 5, 30), date(2025, 6, 20), d("1"))]);
}
