//! An account and a stock like many, the same every time.
#![allow(dead_code)] // other crates count with parts of it

use jiff::ToSpan;
use jiff::civil::{Date, date};
use ledger::{
    Basis, Currency, Decimal, Dividend, Entry, Event, Facts, Fx, Holding, MarketDividend, Money, PayerKind, Ratio, Split, Trade,
    money::div,
};

pub const TODAY: Date = date(2026, 11, 16);
const FIRST: Date = date(2015, 1, 5);

pub fn usd() -> Currency {
    Currency::parse("USD").unwrap()
}

/// Rates of each week.
pub fn fx() -> Fx {
    let weeks = (0..620_i64).map(|week| (usd(), FIRST.saturating_add(week.weeks()), Decimal::new(10_500 + week % 90, 4)));
    Fx::new(weeks)
}

pub fn split() -> Split {
    Split { date: date(2020, 8, 31), ratio: Ratio { new: Decimal::from(4), old: Decimal::ONE } }
}

/// Of ten: seven purchases, some paid for in euros, a sale, and two dividends; one every eight days.
pub fn entries(count: i64) -> Vec<Entry> {
    (0..count).map(entry).collect()
}

fn entry(sequence: i64) -> Entry {
    let shares = Decimal::new(1_000 + sequence % 37 * 125, 3);
    let trade = Trade { shares, amount: Decimal::new(5_012 + sequence * 7, 2), fees: Decimal::new(95, 2), cost_known: true };
    let gross = Decimal::new(1_234 + sequence, 2);
    let dividend = Dividend {
        gross,
        gross_known: true,
        tax: Some(Decimal::new(185, 2)),
        fees: None,
        ex_date: None,
        net: None,
        shares: None,
        per_share: None,
        estimated: false,
    };
    let event = match sequence % 10 {
        4 | 9 => Event::Dividend(dividend),
        7 => Event::Sell(trade),
        _ => Event::Buy(trade),
    };
    let currency = if sequence % 3 == 0 { Currency::EUR } else { usd() };
    Entry { date: FIRST.saturating_add((8 * sequence).days()), sequence, currency, fx_rate: None, event }
}

pub fn holdings(count: u32) -> Vec<Holding<'static>> {
    (0..count).map(holding).collect()
}

fn holding(number: u32) -> Holding<'static> {
    let (price, forward_rate) = (Decimal::new(4_250 + i64::from(number) * 111, 2), Decimal::new(96 + i64::from(number), 2));
    let growth = Some(Decimal::new(20 + i64::from(number % 60), 3));
    let month = 1 + (number % 3) as i8;
    let currency = if number.is_multiple_of(2) { usd() } else { Currency::EUR };
    Holding {
        symbol: format!("S{number:02}").leak(),
        portfolio: if number.is_multiple_of(4) { "Income" } else { "Core" },
        currency,
        shares: Decimal::new(12_500 + i64::from(number) * 375, 3),
        price: Some(price),
        forward_rate,
        rate_currency: currency,
        kind: PayerKind::ALL[number as usize % 6],
        basis: Basis::Market,
        has_data: true,
        growth,
        cagr_5y: growth,
        streak_years: Some(number % 30),
        streak_at_least: false,
        yield_fraction: div(forward_rate, price).ok(),
        payment_months: vec![month, month + 3, month + 6, month + 9].leak(),
        withholding: Decimal::new(15, 2),
    }
}

/// Pays every quarter, a little more each time, through a split.
pub fn facts() -> Facts {
    let ex_date = |quarter: i64| date(2016, 12, 15).saturating_add((3 * quarter).months());
    let dividend = |quarter: i64| MarketDividend {
        ex_date: ex_date(quarter),
        pay_date: Some(ex_date(quarter).saturating_add(17.days())),
        amount: Decimal::new(if ex_date(quarter) < split().date { 1_600 } else { 400 } + quarter * 3, 3),
        currency: usd(),
        special: false,
    };
    let close = |month: i64| (date(2016, 11, 30).saturating_add(month.months()), Decimal::new(4_000 + month * 13, 2));
    Facts {
        currency: usd(),
        dividends: (0..40).map(dividend).collect(),
        splits: vec![split()],
        closes: (0..120).map(close).collect(),
        price: Some(Decimal::new(5_610, 2)),
        forward_rate: None,
        payout_ratio: Some(Decimal::new(55, 2)),
        fcf_cover: Some(Decimal::new(18, 1)),
        pe: Some(Decimal::new(214, 1)),
        ma50: Some(Decimal::new(5_500, 2)),
        ma200: Some(Decimal::new(5_300, 2)),
        low52: Some(Decimal::new(4_800, 2)),
        high52: Some(Decimal::new(5_900, 2)),
        yield_avg_5y_pct: None,
        fund: false,
        lenient_payout: false,
    }
}

/// Thirds and sevenths, which have every digit that there is room for.
pub fn amounts(count: i64) -> Vec<Money> {
    let amount = |number: i64| div(Decimal::new(100_003 * (number + 1), 2), Decimal::from(3 + number % 5)).unwrap();
    (0..count).map(|number| Money::new(amount(number), if number % 2 == 0 { usd() } else { Currency::EUR })).collect()
}
