//! The demo's ledger: the planned trades at the day's price, and all dividends they earned until today.

use std::fmt::Write;

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::days::{later, weekday_from, weekday_until};
use super::dividends::{History, Payment};
use super::level::price;
use super::plan::{REVERSED, STEPS, Step};
use super::stocks::Stock;

/// Days after which the wrong booking was reversed.
const REVERSED_AFTER: i32 = 9;

pub(super) fn ledger(histories: &[History<'_>], today: Date) -> String {
    let mut rows = Vec::new();
    for history in histories {
        let symbol = history.stock.symbol;
        for portfolio in super::PORTFOLIOS {
            let steps: Vec<&Step> = STEPS.iter().filter(|step| step.portfolio == portfolio && step.symbol == symbol).collect();
            rows.extend(steps.iter().map(|step| trade(history, step, today)));
            rows.extend(dividends(history, portfolio, &steps, today));
        }
    }
    // By day; within a day in the order above, with the first portfolio first.
    rows.sort_by_key(|row| row.date);
    let mut text = "date,type,symbol,isin,shares,price,amount,fees,tax,currency,ex_date,portfolio,note\n".to_owned();
    for Row { date, kind, stock, shares, price, amount, fees, tax, ex_date, portfolio, note } in rows {
        let (symbol, isin, currency) = (stock.symbol, stock.isin, stock.currency());
        let _ = writeln!(
            text,
            "{date},{kind},{symbol},{isin},{shares},{price},{amount},{fees},{tax},{currency},{ex_date},{portfolio},{note}"
        );
    }
    text
}

/// A line of the file; unused fields are empty.
struct Row<'a> {
    date: Date,
    kind: &'static str,
    stock: &'a Stock,
    shares: String,
    price: String,
    amount: String,
    fees: &'static str,
    tax: String,
    ex_date: String,
    portfolio: &'static str,
    note: &'static str,
}

fn trade<'a>(history: &History<'a>, step: &Step, today: Date) -> Row<'a> {
    let stock = history.stock;
    let date = trade_date(step, today);
    let executed = price(stock, date).saturating_mul(history.split_factor_since(date));
    Row {
        date,
        kind: step.kind,
        stock,
        shares: step.shares.normalize().to_string(),
        price: stock.in_currency(executed).to_string(),
        amount: String::new(),
        fees: if step.kind == "transfer_in" { "" } else { fee(stock) },
        tax: String::new(),
        ex_date: String::new(),
        portfolio: step.portfolio,
        note: "",
    }
}

fn dividends<'a>(history: &History<'a>, portfolio: &'static str, steps: &[&Step], today: Date) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    let paid = history.payments.iter().filter(|payment| payment.pay_date <= today);
    let earned: Vec<(&Payment, Decimal)> = paid
        .map(|payment| (payment, shares_before(history, steps, payment.ex_date, today)))
        .filter(|(_, shares)| !shares.is_zero())
        .collect();
    let reversed = reversed(history.stock, portfolio, &earned, today);
    for (payment, shares) in earned {
        let right = booking(history.stock, portfolio, payment, shares);
        if reversed == Some(payment.ex_date) {
            rows.extend(wrong_and_reversed(&right, payment));
            rows.push(Row { date: reversal_date(payment), note: "booked again with the treaty rate", ..right });
        } else {
            rows.push(right);
        }
    }
    rows
}

fn booking<'a>(stock: &'a Stock, portfolio: &'static str, payment: &Payment, shares: Decimal) -> Row<'a> {
    let per_share = stock.in_currency(payment.amount);
    let gross = per_share.saturating_mul(shares);
    Row {
        date: payment.pay_date,
        kind: "dividend",
        stock,
        shares: shares.normalize().to_string(),
        price: per_share.normalize().to_string(),
        amount: money(stock, gross),
        fees: "",
        tax: money(stock, gross.saturating_mul(withheld(stock))),
        ex_date: payment.ex_date.to_string(),
        portfolio,
        note: "",
    }
}

/// The booking with 30% withheld, and its reversal.
fn wrong_and_reversed<'a>(right: &Row<'a>, payment: &Payment) -> [Row<'a>; 2] {
    let gross: Decimal = right.amount.parse().unwrap_or_default();
    let tax = money(right.stock, gross.saturating_mul(Decimal::new(30, 2)));
    let row = |date: Date, sign: &str, note: &'static str| Row {
        date,
        kind: right.kind,
        stock: right.stock,
        shares: String::new(),
        price: String::new(),
        amount: format!("{sign}{}", right.amount),
        fees: "",
        tax: format!("{sign}{tax}"),
        ex_date: right.ex_date.clone(),
        portfolio: right.portfolio,
        note,
    };
    [row(payment.pay_date, "", "booked without the treaty rate"), row(reversal_date(payment), "-", "reversal")]
}

fn reversed(stock: &Stock, portfolio: &str, earned: &[(&Payment, Decimal)], today: Date) -> Option<Date> {
    let (in_portfolio, symbol, days_old) = REVERSED;
    let mut old = earned.iter().filter(|(payment, _)| payment.pay_date <= later(today, -days_old));
    old.next_back().filter(|_| portfolio == in_portfolio && stock.symbol == symbol).map(|(payment, _)| payment.ex_date)
}

fn reversal_date(payment: &Payment) -> Date {
    weekday_from(later(payment.pay_date, REVERSED_AFTER))
}

fn trade_date(step: &Step, today: Date) -> Date {
    weekday_until(later(today, -step.days_ago))
}

/// Shares held before the day, unadjusted.
fn shares_before(history: &History<'_>, steps: &[&Step], day: Date, today: Date) -> Decimal {
    steps
        .iter()
        .filter(|step| trade_date(step, today) < day)
        .fold(Decimal::ZERO, |held, step| {
            let traded = step.shares.saturating_mul(history.split_factor_since(trade_date(step, today)));
            if step.kind == "sell" { held.saturating_sub(traded) } else { held.saturating_add(traded) }
        })
        .checked_div(history.split_factor_since(day))
        .unwrap_or_default()
}

/// What a broker usually withholds from a resident of Spain before any reclaim, by the country of the ISIN.
fn withheld(stock: &Stock) -> Decimal {
    match &stock.isin[..2] {
        "US" | "CA" | "NL" | "SE" => Decimal::new(15, 2),
        "CH" => Decimal::new(35, 2),
        "DE" => Decimal::new(26_375, 5),
        "FR" => Decimal::new(128, 3),
        "JP" => Decimal::new(15_315, 5),
        _ => Decimal::ZERO,
    }
}

fn fee(stock: &Stock) -> &'static str {
    match stock.currency() {
        "JPY" => "300",
        "SEK" => "25.00",
        "CHF" => "5.00",
        _ => "2.00",
    }
}

/// Rounded to the smallest unit, with all decimals.
fn money(stock: &Stock, amount: Decimal) -> String {
    let coins = if stock.unit == "JPY" { 0 } else { 2 };
    let mut amount = amount.round_dp(coins);
    amount.rescale(coins);
    amount.to_string()
}
