//! Validates daily closes, and finds runs of them that are off by a factor of 100.

use std::collections::BTreeMap;

use jiff::civil::Date;
use ledger::Decimal;

use super::scale::far_above;
use super::{CloseProblem, Known, Reason, Rejection, Validated, day_of, days_between, shares};

/// A price this much newer than the last close says nothing about it.
const NEWER_DAYS_MAX: i64 = 31;

/// By date, one per day. Closes are adjusted for splits, so none is 50 times that of the next or previous day.
pub fn closes(known: &Known, answer: &[(Date, Decimal)], today: Date) -> Validated<Vec<(Date, Decimal)>> {
    let mut rejected = Vec::new();
    let answer = keep(answer.to_vec(), &mut rejected, CloseProblem::NotPositive, |(_, close)| *close > Decimal::ZERO);
    let answer = keep(answer, &mut rejected, CloseProblem::Future, |(date, _)| *date <= today);
    // The last day may be listed twice, with its opening and its current price: the later row counts.
    let rows: Vec<(Date, Decimal)> = answer.into_iter().collect::<BTreeMap<_, _>>().into_iter().collect();
    let levels = levels(&rows);
    let Some(right) = right_level(known, &rows, &levels, today) else {
        let rows = keep(rows, &mut rejected, CloseProblem::Ambiguous, |_| false);
        return Validated { rows, rejected };
    };
    let mut level = levels.into_iter();
    let rows = keep(rows, &mut rejected, CloseProblem::OutOfScale, |_| level.next() == Some(right));
    Validated { rows, rejected }
}

/// Removes the rows that are not kept, with one reason for all of them.
fn keep(
    rows: Vec<(Date, Decimal)>,
    rejected: &mut Vec<Rejection>,
    problem: CloseProblem,
    kept: impl FnMut(&(Date, Decimal)) -> bool,
) -> Vec<(Date, Decimal)> {
    let (kept, dropped): (Vec<_>, Vec<_>) = rows.into_iter().partition(kept);
    if let Some((date, close)) = dropped.iter().min() {
        let reason = Reason::Closes { days: dropped.len(), from: date.to_string(), problem };
        rejected.push(Rejection::new("closes", format!("{date} {close}"), reason));
    }
    kept
}

/// For each day, the number of jumps up minus jumps down before it.
fn levels(rows: &[(Date, Decimal)]) -> Vec<i32> {
    let mut level = 0;
    let mut before = rows.first().map(|(_, close)| *close).unwrap_or_default();
    let step = |(_, close): &(Date, Decimal)| {
        level += i32::from(far_above(*close, before)) - i32::from(far_above(before, *close));
        before = *close;
        level
    };
    rows.iter().map(step).collect()
}

/// The level that agrees with a newer price, else the level of most days.
fn right_level(known: &Known, rows: &[(Date, Decimal)], levels: &[i32], today: Date) -> Option<i32> {
    let (Some(newest), Some(last)) = (rows.last(), levels.last()) else { return Some(0) };
    if let Some(price) = newer_price(known, newest.0, today) {
        let below = i32::from(far_above(price, newest.1));
        let above = i32::from(far_above(newest.1, price));
        return Some(last + below - above);
    }
    let count = |level: i32| levels.iter().filter(|one| **one == level).count();
    let most = levels.iter().copied().max_by_key(|level| count(*level))?;
    (count(most) * 2 > levels.len()).then_some(most)
}

fn newer_price(known: &Known, newest: Date, today: Date) -> Option<Decimal> {
    let day = day_of(known.price_as_of?);
    let newer = (0..=NEWER_DAYS_MAX).contains(&days_between(newest, day));
    let price = known.price.filter(|price| newer && *price > Decimal::ZERO)?;
    shares::restated(price, day, today, &known.splits)
}
