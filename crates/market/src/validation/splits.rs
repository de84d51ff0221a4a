//! Validates splits, and rejects spin-offs that look like them.

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Decimal, Ratio};

use super::{Known, Reason, Rejection, Validated, days_between};
use crate::provider::Split;

const AHEAD_DAYS: i32 = 90;

/// Two splits within a week are one that is listed twice.
const APART_DAYS: i64 = 7;

/// Companies split 3:2 or 1:100. 523:500 is the price effect of a spin-off, which does not change the number of shares.
const TERM_MAX: i128 = 100;

pub fn splits(known: &Known, answer: &[Split], today: Date) -> Validated<Vec<ledger::Split>> {
    let mut rejected = Vec::new();
    let mut rows: Vec<ledger::Split> = Vec::new();
    let mut answer: Vec<&Split> = answer.iter().collect();
    answer.sort_by_key(|split| split.date);
    for split in answer {
        match one(known, &rows, split, today) {
            Ok(Some(row)) => rows.push(row),
            Ok(None) => {}
            Err(reason) => rejected.push(Rejection::new(format!("split {}", split.date), split.ratio, reason)),
        }
    }
    Validated { rows, rejected }
}

/// `None` if it is nothing new: one share into one, or a known split.
fn one(known: &Known, kept: &[ledger::Split], split: &Split, today: Date) -> Result<Option<ledger::Split>, Reason> {
    if split.ratio.new <= Decimal::ZERO || split.ratio.old <= Decimal::ZERO {
        return Err(Reason::NotPositive);
    }
    let (new, old) = reduced(split.ratio).ok_or(Reason::TooManyDigits)?;
    if new == old {
        return Ok(None);
    }
    if new.min(old) > TERM_MAX {
        return Err(Reason::UnusualRatio { ratio: format!("{new}:{old}") });
    }
    if split.date > today.saturating_add(AHEAD_DAYS.days()) {
        return Err(Reason::SplitTooFarAhead { days: AHEAD_DAYS });
    }
    let row = ledger::Split { date: split.date, ratio: Ratio { new: to_decimal(new)?, old: to_decimal(old)? } };
    if let Some(near) = near(kept, row.date) {
        return check_same(near, &row).map(|()| None);
    }
    match near(&known.splits, row.date) {
        Some(near) => check_same(near, &row).map(|()| Some(*near)),
        None => Ok(Some(row)),
    }
}

fn near(splits: &[ledger::Split], date: Date) -> Option<&ledger::Split> {
    let close = splits.iter().filter(|split| days_between(split.date, date).abs() <= APART_DAYS);
    close.min_by_key(|split| days_between(split.date, date).abs())
}

/// Whether it is the same split, perhaps on another day of the same week.
fn check_same(before: &ledger::Split, row: &ledger::Split) -> Result<(), Reason> {
    match reduced(before.ratio) == reduced(row.ratio) {
        true => Ok(()),
        false => Err(Reason::OtherSplit { ratio: before.ratio.to_string(), date: before.date.to_string() }),
    }
}

/// Both sides as whole numbers without a common factor.
fn reduced(ratio: Ratio) -> Option<(i128, i128)> {
    let scale = ratio.new.scale().max(ratio.old.scale());
    let side = |side: Decimal| side.mantissa().checked_mul(10_i128.checked_pow(scale - side.scale())?);
    let (new, old) = (side(ratio.new)?, side(ratio.old)?);
    let factor = common_factor(new, old);
    Some((new.checked_div(factor)?, old.checked_div(factor)?))
}

fn common_factor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { common_factor(b, a % b) }
}

fn to_decimal(side: i128) -> Result<Decimal, Reason> {
    Decimal::try_from_i128_with_scale(side, 0).map_err(|_| Reason::TooManyDigits)
}
