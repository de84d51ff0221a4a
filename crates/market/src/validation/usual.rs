//! What a stock usually pays around a day.

use std::collections::BTreeMap;

use jiff::civil::Date;
use ledger::{Currency, Decimal, Split};

use super::row::Row;
use super::{Known, days_between, scale, shares};

/// How many payments around a day determine the usual amount, and the minimum needed.
const AROUND_MAX: usize = 8;
const AROUND_MIN: usize = 3;

/// A stored row this close to one of the answer is the same dividend.
const SAME_DAYS: i64 = 3;

/// Stored dividends that the answer does not repeat. A short answer is compared with them.
pub struct Around {
    stored: Vec<Point>,
}

/// A split-adjusted payment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub ex_date: Date,
    pub currency: Currency,
    pub amount: Decimal,
    pub special: bool,
}

impl Around {
    pub fn of(known: &Known, splits: &[Split], answer: &[Row], today: Date) -> Around {
        let point = |row: &super::KnownDividend| {
            let amount = shares::restated(row.amount, row.ex_date, today, splits)?;
            Some(Point { ex_date: row.ex_date, currency: row.currency, amount, special: row.special })
        };
        let repeated = |point: &Point| {
            let mut same = answer.iter().filter(|row| row.currency == point.currency);
            same.any(|row| days_between(row.ex_date, point.ex_date).abs() <= SAME_DAYS)
        };
        Around { stored: known.dividends.iter().filter_map(point).filter(|point| !repeated(point)).collect() }
    }

    /// The answer's rows and the stored ones, by ex-date.
    pub fn with(&self, rows: &[Row]) -> Vec<Point> {
        let mut points = self.stored.clone();
        points.extend(rows.iter().map(point));
        points.sort_by_key(|point| point.ex_date);
        points
    }

    /// The same without days that have two amounts of one kind, because it is unclear which is right.
    pub fn with_unambiguous(&self, rows: &[Row]) -> Vec<Point> {
        let mut count: BTreeMap<(Date, Currency, bool), usize> = BTreeMap::new();
        let kind = |point: &Point| (point.ex_date, point.currency, point.special);
        rows.iter().for_each(|row| *count.entry(kind(&point(row))).or_default() += 1);
        let mut points = self.with(rows);
        points.retain(|point| count.get(&kind(point)).is_none_or(|count| *count == 1));
        points
    }
}

fn point(row: &Row) -> Point {
    Point { ex_date: row.ex_date, currency: row.currency, amount: row.today, special: row.is_special() }
}

/// The regular payments nearest to a day, without that day. Empty if there are too few.
pub fn neighbours(points: &[Point], row: &Row) -> Vec<Decimal> {
    let near = |point: &&Point| !point.special && point.currency == row.currency && point.ex_date != row.ex_date;
    let mut near: Vec<&Point> = points.iter().filter(near).collect();
    near.sort_by_key(|point| days_between(point.ex_date, row.ex_date).abs());
    near.truncate(AROUND_MAX);
    match near.len() < AROUND_MIN {
        true => Vec::new(),
        false => near.iter().map(|point| point.amount).collect(),
    }
}

pub fn usual(points: &[Point], row: &Row) -> Option<Decimal> {
    scale::median(neighbours(points, row))
}
