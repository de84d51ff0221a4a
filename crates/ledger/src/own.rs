//! A stock's dividends as one user recorded them, for a stock that market data knows no dividends of.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::dates::{days_after, days_between, doubled_median};
use crate::history::{USUAL_LAG_DAYS, USUAL_LAG_DAYS_FUND};
use crate::money::{add, div};
use crate::position::{is_same_split, possible_splits, recorded_by_owner, shares_before, shares_grown, shares_paid};
use crate::{Currency, Dividend, Entry, Event, MarketDividend, Overflow, Split};

/// A recorded dividend that is part of a payment.
pub struct OwnPart {
    /// Of the payment.
    pub ex_date: Date,
    pub currency: Currency,
    pub sequence: i64,
    pub date: Date,
    pub gross: Decimal,
    pub shares: Decimal,
}

/// Per share and ex-date, up to today; `lots` has the entries of each portfolio. Shows what each payment consists of.
pub fn own_dividends(
    lots: &[&[Entry]],
    splits: &[Split],
    fund: bool,
    today: Date,
    mut observe: impl FnMut(OwnPart),
) -> Result<Vec<MarketDividend>, Overflow> {
    let lag = own_lag(lots, today).unwrap_or(if fund { USUAL_LAG_DAYS_FUND } else { USUAL_LAG_DAYS });
    let mut payments: BTreeMap<(Date, String), (MarketDividend, Decimal)> = BTreeMap::new();
    for entries in lots {
        for Paid { date, sequence, currency, dividend } in kept(entries, today) {
            let ex_date = dividend.ex_date.unwrap_or_else(|| days_after(date, -lag));
            let held = || dividend.ex_date.map(|ex_date| shares_paid(entries, splits, ex_date));
            let positive = |shares: &Decimal| *shares > Decimal::ZERO;
            let shares = dividend.shares.filter(positive).or_else(|| held().filter(positive));
            let shares = shares.map_or_else(|| held_before_payment(entries, splits, ex_date, date), Ok)?;
            if shares > Decimal::ZERO {
                let nothing = MarketDividend { ex_date, pay_date: Some(date), amount: Decimal::ZERO, currency, special: false };
                let (payment, sum) = payments.entry((ex_date, currency.to_string())).or_insert((nothing, Decimal::ZERO));
                payment.pay_date = payment.pay_date.min(Some(date));
                payment.amount = add(payment.amount, dividend.gross)?;
                *sum = add(*sum, shares)?;
                observe(OwnPart { ex_date, currency, sequence, date, gross: dividend.gross, shares });
            }
        }
    }
    let per_share =
        |(payment, shares): (MarketDividend, Decimal)| Ok(MarketDividend { amount: div(payment.amount, shares)?, ..payment });
    payments.into_values().map(per_share).collect()
}

/// The shares held before a payment, counted as shares of the ex-date: splits since then changed the number of shares only.
fn held_before_payment(entries: &[Entry], splits: &[Split], ex_date: Date, payment: Date) -> Result<Decimal, Overflow> {
    let held = shares_before(entries, splits, payment);
    let grown = shares_grown(Decimal::ONE, entries, &possible_splits(entries, splits), ex_date, days_after(payment, -1))?;
    if grown.is_zero() { Ok(held) } else { div(held, grown) }
}

/// The splits of market data, and those recorded instead of them.
pub fn own_splits(lots: &[&[Entry]], splits: &[Split]) -> Vec<Split> {
    let recorded = lots.iter().flat_map(|entries| entries.iter()).filter_map(|entry| match entry.event {
        Event::Split(ratio) => Some(Split { date: entry.date, ratio }),
        _ => None,
    });
    let mut all: Vec<Split> = recorded.collect();
    all.sort_by_key(|split| split.date);
    // Brokers book the same split on different days.
    all.dedup_by(|later, earlier| later.ratio.equals(earlier.ratio) && is_same_split(earlier, later.date, later.ratio));
    all.extend(splits.iter().filter(|split| !lots.iter().any(|entries| recorded_by_owner(split, entries))));
    all
}

#[derive(Clone, Copy)]
struct Paid<'a> {
    date: Date,
    sequence: i64,
    currency: Currency,
    dividend: &'a Dividend,
}

/// Without what was reversed later, and the reversals.
fn kept(entries: &[Entry], today: Date) -> Vec<Paid<'_>> {
    let mut kept: Vec<Paid<'_>> = Vec::new();
    let mut in_order: Vec<&Entry> = entries.iter().filter(|entry| entry.date <= today).collect();
    in_order.sort_by_key(|entry| (entry.date, entry.sequence));
    for entry in in_order {
        let Event::Dividend(dividend) = &entry.event else { continue };
        if dividend.gross > Decimal::ZERO {
            kept.push(Paid { date: entry.date, sequence: entry.sequence, currency: entry.currency, dividend });
        } else {
            let reversed = |paid: &Paid<'_>| paid.currency == entry.currency && paid.dividend.gross == -dividend.gross;
            kept.iter().rposition(reversed).map(|at| kept.remove(at));
        }
    }
    kept
}

/// The median number of days from ex-date to payment, if any ex-date is recorded.
fn own_lag(lots: &[&[Entry]], today: Date) -> Option<i32> {
    let paid = lots.iter().flat_map(|entries| kept(entries, today));
    let lags = paid.filter_map(|paid| Some(days_between(paid.dividend.ex_date?, paid.date)));
    doubled_median(lags.collect()).and_then(|doubled| i32::try_from(doubled / 2).ok())
}
