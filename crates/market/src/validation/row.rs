//! Validates one dividend by itself: its unit, dates and sign.

use jiff::ToSpan;
use jiff::civil::{Date, date};
use ledger::{Currency, Decimal, QuoteUnit, Split};

use super::{Known, Reason, Rejection, days_between, shares};
use crate::provider::{Dividend, DividendUnit};

/// Interest of baby bonds is listed years ahead; a company declares at most the coming year.
const AHEAD_DAYS: i32 = 400;
const PAID_BEFORE_DAYS: i64 = 10;
const PAID_AFTER_DAYS: i64 = 400;
const OLDEST: Date = date(1900, 1, 1);

/// A dividend in whole units.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub ex_date: Date,
    pub pay_date: Option<Date>,
    pub declared_date: Option<Date>,
    /// As paid.
    pub amount: Decimal,
    /// Split-adjusted.
    pub today: Decimal,
    pub currency: Currency,
    pub special: Option<bool>,
}

impl Row {
    /// A dividend that is not marked as special is regular.
    pub fn is_special(&self) -> bool {
        self.special == Some(true)
    }
}

/// By ex-date, then in the order of the answer.
pub fn rows(known: &Known, splits: &[Split], answer: &[Dividend], today: Date, rejected: &mut Vec<Rejection>) -> Vec<Row> {
    let mut rows = Vec::with_capacity(answer.len());
    let mut without_unit = 0_usize;
    for dividend in answer {
        let unit = match dividend.unit {
            DividendUnit::Whole(currency) => Some(QuoteUnit::from(currency)),
            DividendUnit::AsQuoted => known.unit,
        };
        match unit {
            Some(unit) => rows.extend(row(dividend, unit, splits, today, rejected)),
            None => without_unit += 1,
        }
    }
    if without_unit > 0 {
        rejected.push(Rejection::new("dividends", without_unit, Reason::UnitUnknown));
    }
    rows.sort_by_key(|row| row.ex_date);
    rows
}

fn row(dividend: &Dividend, unit: QuoteUnit, splits: &[Split], today: Date, rejected: &mut Vec<Rejection>) -> Option<Row> {
    let amount = unit.normalise(dividend.amount).normalize();
    let mut row = Row {
        ex_date: dividend.ex_date,
        pay_date: dividend.pay_date,
        declared_date: dividend.declared_date,
        amount,
        today: amount,
        currency: unit.currency,
        special: dividend.special,
    };
    let Some(per_share_today) = shares::restated(amount, row.ex_date, today, splits) else {
        rejected.push(row.reject(Reason::TooLarge));
        return None;
    };
    row.today = per_share_today;
    if let Some(reason) = doubt(&row, today) {
        rejected.push(row.reject(reason));
        return None;
    }
    rejected.extend(drop_impossible_dates(&mut row));
    Some(row)
}

fn doubt(row: &Row, today: Date) -> Option<Reason> {
    if row.amount <= Decimal::ZERO {
        return Some(Reason::NotPositive);
    }
    if row.ex_date < OLDEST {
        return Some(Reason::ExDateTooOld);
    }
    let ahead = row.ex_date > today.saturating_add(AHEAD_DAYS.days());
    ahead.then_some(Reason::ExDateTooFarAhead { days: AHEAD_DAYS })
}

/// Some pay a day before the ex-date; none pays weeks before it or is declared after it.
fn drop_impossible_dates(row: &mut Row) -> Vec<Rejection> {
    let mut rejected = Vec::new();
    let ex_date = row.ex_date;
    let usual = -PAID_BEFORE_DAYS..=PAID_AFTER_DAYS;
    if let Some(pay_date) = row.pay_date.take_if(|pay_date| !usual.contains(&days_between(ex_date, *pay_date))) {
        let reason = Reason::PayDateFarFromExDate { days_before: PAID_BEFORE_DAYS, days_after: PAID_AFTER_DAYS };
        rejected.push(Rejection::new(format!("dividend {ex_date} pay_date"), pay_date, reason));
    }
    if let Some(declared) = row.declared_date.take_if(|declared| *declared > ex_date) {
        rejected.push(Rejection::new(format!("dividend {ex_date} declared_date"), declared, Reason::DeclaredAfterExDate));
    }
    rejected
}
