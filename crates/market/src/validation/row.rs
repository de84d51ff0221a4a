//! One dividend by itself: its unit, its dates, its sign.

use jiff::ToSpan;
use jiff::civil::{Date, date};
use ledger::{Currency, Decimal, QuoteUnit, Split};

use super::{Held, Known, days_between, shares};
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
    /// Per share of today.
    pub today: Decimal,
    pub currency: Currency,
    pub special: Option<bool>,
}

impl Row {
    /// What is not called special counts as regular.
    pub fn is_special(&self) -> bool {
        self.special == Some(true)
    }
}

/// By ex-date, in the order of the answer within one.
pub fn rows(known: &Known, splits: &[Split], answer: &[Dividend], today: Date, held: &mut Vec<Held>) -> Vec<Row> {
    let mut rows = Vec::with_capacity(answer.len());
    let mut without_unit = 0_usize;
    for dividend in answer {
        let unit = match dividend.unit {
            DividendUnit::Whole(currency) => Some(QuoteUnit::from(currency)),
            DividendUnit::AsQuoted => known.unit,
        };
        match unit {
            Some(unit) => rows.extend(row(dividend, unit, splits, today, held)),
            None => without_unit += 1,
        }
    }
    if without_unit > 0 {
        let reason = "they are in the unit that the stock is quoted in, and that is not known yet";
        held.push(Held::new("dividends", format!("{without_unit} rows"), reason));
    }
    rows.sort_by_key(|row| row.ex_date);
    rows
}

fn row(dividend: &Dividend, unit: QuoteUnit, splits: &[Split], today: Date, held: &mut Vec<Held>) -> Option<Row> {
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
        held.push(row.hold("the amount is too large to compute with"));
        return None;
    };
    row.today = per_share_today;
    if let Some(reason) = doubt(&row, today) {
        held.push(row.hold(reason));
        return None;
    }
    held.extend(drop_impossible_dates(&mut row));
    Some(row)
}

fn doubt(row: &Row, today: Date) -> Option<String> {
    if row.amount <= Decimal::ZERO {
        return Some("a dividend is above zero".to_owned());
    }
    if row.ex_date < OLDEST {
        return Some("its ex-date is before 1900".to_owned());
    }
    let ahead = row.ex_date > today.saturating_add(AHEAD_DAYS.days());
    ahead.then(|| format!("its ex-date is more than {AHEAD_DAYS} days ahead"))
}

/// Some pay a day before the ex-date; none pays weeks before, or is declared after it.
fn drop_impossible_dates(row: &mut Row) -> Vec<Held> {
    let mut held = Vec::new();
    let ex_date = row.ex_date;
    let usual = -PAID_BEFORE_DAYS..=PAID_AFTER_DAYS;
    if let Some(pay_date) = row.pay_date.take_if(|pay_date| !usual.contains(&days_between(ex_date, *pay_date))) {
        let reason = format!("more than {PAID_BEFORE_DAYS} days before or {PAID_AFTER_DAYS} after the ex-date; the rest is kept");
        held.push(Held::new(format!("dividend {ex_date} pay_date"), pay_date, reason));
    }
    if let Some(declared) = row.declared_date.take_if(|declared| *declared > ex_date) {
        let reason = "declared after the ex-date; the rest is kept";
        held.push(Held::new(format!("dividend {ex_date} declared_date"), declared, reason));
    }
    held
}
