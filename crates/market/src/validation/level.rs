//! Dividends off by a factor of 100: one compared with those around it, or all compared with rate and price.

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Decimal, Split};

use super::row::Row;
use super::scale::{exceeds, far_above, far_apart, median, within};
use super::usual::{Around, Point, neighbours};
use super::{Known, Reason, Rejection, day_of, days_between, shares};

/// About a hundredth of the payments around it was divided by 100 once too often. Any other small amount is a cut.
const HUNDREDTH_TOLERANCE_PERCENT: i64 = 20;

/// If the usual amounts differ by this factor, a tiny payment may be real.
const STEADY_SPREAD: Decimal = Decimal::TEN;

/// A fund's seasonal payment repeats the next year, within this factor.
const SEASON_SPREAD: Decimal = Decimal::from_parts(5, 0, 0, false, 0);

const YEAR_DAYS: i32 = 365;
const PRICE_SPEAKS_DAYS: i32 = 400;

pub fn in_scale(rows: Vec<Row>, around: &Around, fund: bool, rejected: &mut Vec<Rejection>) -> Vec<Row> {
    let points = around.with(&rows);
    let believed = |row: &Row| match out_of_scale(row, &points, fund) {
        None => true,
        Some(usual) => {
            rejected.push(row.reject(Reason::FarFromUsual { usual: usual.normalize().to_string() }));
            false
        }
    };
    retained(rows, believed)
}

fn retained(mut rows: Vec<Row>, believed: impl FnMut(&Row) -> bool) -> Vec<Row> {
    rows.retain(believed);
    rows
}

/// The usual amount, if this one is far from it.
fn out_of_scale(row: &Row, points: &[Point], fund: bool) -> Option<Decimal> {
    let around = neighbours(points, row);
    let usual = median(around.clone()).filter(|usual| far_apart(row.today, *usual))?;
    if fund && comes_every_year(row, points) {
        return None;
    }
    let believed = far_above(usual, row.today) && !(hundredth_of_one(row.today, &around) && steady(&around, usual));
    (!believed).then_some(usual)
}

fn hundredth_of_one(amount: Decimal, around: &[Decimal]) -> bool {
    let whole = amount.checked_mul(Decimal::ONE_HUNDRED);
    whole.is_some_and(|whole| around.iter().any(|usual| within(whole, *usual, HUNDREDTH_TOLERANCE_PERCENT)))
}

fn comes_every_year(row: &Row, points: &[Point]) -> bool {
    let alike = |a, b| !exceeds(a, b, SEASON_SPREAD) && !exceeds(b, a, SEASON_SPREAD);
    let mut same = points.iter().filter(|point| point.currency == row.currency && alike(point.amount, row.today));
    same.any(|point| (300..=430).contains(&days_between(point.ex_date, row.ex_date).abs()))
}

/// Whether the payments around are similar, ignoring those that are far from usual themselves.
fn steady(around: &[Decimal], usual: Decimal) -> bool {
    let near: Vec<Decimal> = around.iter().copied().filter(|amount| !far_apart(*amount, usual)).collect();
    let spread = near.iter().max().zip(near.iter().min());
    spread.is_some_and(|(most, least)| !exceeds(*most, *least, STEADY_SPREAD))
}

/// All or nothing: if the last year's payments contradict the yearly rate or the price, the unit of all of them is in doubt.
pub fn consistent_unit(
    rows: Vec<Row>,
    around: &Around,
    known: &Known,
    splits: &[Split],
    today: Date,
    rejected: &mut Vec<Rejection>,
) -> Vec<Row> {
    match unit_doubt(&around.with(&rows), known, splits, today).filter(|_| !rows.is_empty()) {
        None => rows,
        Some(reason) => {
            rejected.push(Rejection::new("dividends", rows.len(), reason));
            Vec::new()
        }
    }
}

fn unit_doubt(points: &[Point], known: &Known, splits: &[Split], today: Date) -> Option<Reason> {
    let trading = known.unit?.currency;
    let year_ago = today.saturating_sub(YEAR_DAYS.days());
    let last_year = |point: &&Point| year_ago < point.ex_date && point.ex_date <= today;
    let regular = || points.iter().filter(|point| point.currency == trading && !point.special);
    let sum = regular().filter(last_year).try_fold(Decimal::ZERO, |sum, point| sum.checked_add(point.amount))?;
    if sum.is_zero() {
        return None;
    }
    let total = |sum: Decimal| format!("{} {trading}", sum.normalize());
    let rate = known.forward_rate.filter(|rate| *rate > Decimal::ZERO);
    // The sum of a history shorter than a year may be small.
    let full_year = regular().any(|point| point.ex_date <= year_ago);
    if let Some(rate) = rate.filter(|rate| far_above(sum, *rate) || (full_year && far_above(*rate, sum))) {
        return Some(Reason::YearFarFromRate { sum: total(sum), rate: rate.to_string() });
    }
    // A fund can pay out its capital; a company cannot.
    let price = price_today(known, splits, today).filter(|price| sum > *price && (rate.is_some() || !known.fund))?;
    Some(Reason::YearAbovePrice { sum: total(sum), price: price.to_string() })
}

pub fn below_price(rows: Vec<Row>, known: &Known, splits: &[Split], today: Date, rejected: &mut Vec<Rejection>) -> Vec<Row> {
    let Some((price, unit)) = price_today(known, splits, today).zip(known.unit) else { return rows };
    let since = today.saturating_sub(PRICE_SPEAKS_DAYS.days());
    let believed = |row: &Row| {
        let above = row.currency == unit.currency && row.ex_date >= since && row.today > price;
        if above {
            rejected.push(row.reject(Reason::DividendAbovePrice { price: price.to_string() }));
        }
        !above
    };
    retained(rows, believed)
}

fn price_today(known: &Known, splits: &[Split], today: Date) -> Option<Decimal> {
    let price = known.price.filter(|price| *price > Decimal::ZERO)?;
    shares::restated(price, known.price_as_of.map_or(today, day_of), today, splits)
}
