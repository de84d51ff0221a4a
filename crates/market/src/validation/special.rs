//! Which payments are special, if the provider does not say.

use ledger::Decimal;

use super::row::Row;
use super::scale::exceeds;
use super::usual::{Around, Point, usual};
use super::{Known, days_between};

/// A payment above this multiple of the usual amount may be special.
const LARGE: Decimal = Decimal::from_parts(18, 0, 0, false, 1);

/// A payment a year apart confirms one that is at most this many times larger.
const YEAR_APART: Decimal = Decimal::from_parts(15, 0, 0, false, 1);

/// The previous or next payment confirms one that is at most this many times larger: the dividend was raised or cut.
const NEXT: Decimal = Decimal::from_parts(13, 0, 0, false, 1);

/// Marks every row as special or regular. Payments of funds vary too much to be classified by size.
pub fn marked(mut rows: Vec<Row>, around: &Around, known: &Known) -> Vec<Row> {
    let points = around.with(&rows);
    for row in &mut rows {
        let special = row.special.unwrap_or_else(|| !known.fund && is_special(row, &points, known));
        row.special = Some(special);
    }
    rows
}

fn is_special(row: &Row, points: &[Point], known: &Known) -> bool {
    // If the provider marks another payment of that day as special, this is the regular one.
    let beside = |point: &Point| point.special && (point.ex_date, point.currency) == (row.ex_date, row.currency);
    let large = usual(points, row).is_some_and(|usual| exceeds(row.today, usual, LARGE));
    large && !points.iter().any(beside) && !repeated(row, points, known)
}

/// A final dividend is repeated after a year, a raised one with the next payment. The first payment of a history is not special
/// either, because a cut may follow.
fn repeated(row: &Row, points: &[Point], known: &Known) -> bool {
    let same_currency = || points.iter().filter(|point| point.currency == row.currency);
    let regular = || same_currency().filter(|point| !point.special);
    let a_year_apart = |point: &Point| (300..=430).contains(&days_between(point.ex_date, row.ex_date).abs());
    let confirmed = same_currency().any(|point| a_year_apart(point) && !exceeds(row.today, point.amount, YEAR_APART));
    let before = regular().rfind(|point| point.ex_date < row.ex_date);
    let next = regular().find(|point| point.ex_date > row.ex_date);
    confirmed
        || before.is_none_or(|before| !exceeds(row.today, before.amount, NEXT))
        || match next {
            Some(next) => !exceeds(row.today, next.amount, NEXT),
            None => rate_follows(row, points, known),
        }
}

/// Nothing follows the newest payment yet, but if it was a raise, the yearly rate has also gone up.
fn rate_follows(row: &Row, points: &[Point], known: &Known) -> bool {
    let last_year = |point: &&Point| (0..350).contains(&days_between(point.ex_date, row.ex_date));
    let payments = points.iter().filter(|point| point.currency == row.currency && !point.special).filter(last_year).count();
    let yearly = row.today.checked_mul(Decimal::from(payments));
    let trading = known.unit.is_some_and(|unit| unit.currency == row.currency);
    known.forward_rate.zip(yearly).is_some_and(|(rate, yearly)| trading && !exceeds(yearly, rate, NEXT))
}
