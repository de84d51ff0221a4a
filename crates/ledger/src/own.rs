//! A stock's dividends as one user recorded them, for a stock that market data knows no dividends of.

use std::collections::BTreeMap;

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::dates::{days_after, days_between, doubled_median};
use crate::history::{USUAL_LAG_DAYS, USUAL_LAG_DAYS_FUND};
use crate::money::{add, div, mul};
use crate::position::{grown, possible_splits, shares_before, shares_paid};
use crate::{Currency, Dividend, Entry, Event, MarketDividend, Overflow, Ratio, Split};

/// A recorded dividend that is part of a payment.
pub struct OwnPart {
    /// Of the payment.
    pub ex_date: Date,
    pub currency: Currency,
    pub sequence: i64,
    pub date: Date,
    pub gross: Decimal,
    /// Counted in shares of today.
    pub shares: Decimal,
}

/// Per share of today and ex-date, up to today; `lots` has the entries of each portfolio. Shows what each payment consists of.
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
        let possible = possible_splits(entries, splits);
        let of_today =
            |shares, after| grown(entries, &possible, after, today).and_then(|Ratio { new, old }| div(mul(shares, new)?, old));
        for Paid { date, sequence, currency, dividend } in kept(entries, today) {
            let ex_date = dividend.ex_date.unwrap_or_else(|| days_after(date, -lag));
            let held = || dividend.ex_date.map(|ex_date| shares_paid(entries, splits, ex_date));
            let positive = |shares: &Decimal| *shares > Decimal::ZERO;
            let shares = dividend.shares.filter(positive).or_else(|| held().filter(positive));
            let shares = match shares {
                Some(shares) => of_today(shares, ex_date)?,
                None => of_today(shares_before(entries, splits, date), days_after(date, -1))?,
            };
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
        if dividend.estimated {
            continue;
        }
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
