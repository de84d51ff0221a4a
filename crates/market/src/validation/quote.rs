//! Validates a current price.

use jiff::{SignedDuration, Timestamp, ToSpan};
use ledger::Decimal;

use super::scale::{far_apart, within};
use super::{Known, Reason, Rejection, day_of};
use crate::provider::Quote;

/// Clocks and time zones may differ by a day at most.
const AHEAD_MAX: SignedDuration = SignedDuration::from_hours(24);

/// How far a price may be from the stored one after adjusting for a split.
const SPLIT_TOLERANCE_PERCENT: i64 = 20;

pub fn quote(known: &Known, quote: &Quote, now: Timestamp) -> Result<(), Rejection> {
    match doubt(known, quote, now) {
        None => Ok(()),
        Some(reason) => Err(Rejection::new("price", format!("{} {}", quote.price, quote.unit.currency), reason)),
    }
}

fn doubt(known: &Known, quote: &Quote, now: Timestamp) -> Option<Reason> {
    if quote.price <= Decimal::ZERO {
        return Some(Reason::NotPositive);
    }
    if let Some(unit) = known.unit.filter(|unit| unit.currency != quote.unit.currency) {
        let (expected, found) = (unit.currency.to_string(), quote.unit.currency.to_string());
        return Some(Reason::OtherCurrency { expected, found });
    }
    if quote.as_of.duration_since(now) > AHEAD_MAX {
        return Some(Reason::FutureTime { as_of: quote.as_of.to_string() });
    }
    if let Some(stored) = known.price_as_of.filter(|stored| quote.as_of < *stored) {
        return Some(Reason::NotNewer { as_of: quote.as_of.to_string(), stored: stored.to_string() });
    }
    let stored = known.price.filter(|stored| *stored > Decimal::ZERO && far_apart(quote.price, *stored))?;
    match split_explains(known, stored, quote) {
        true => None,
        false => Some(Reason::FarFromStoredPrice { stored: stored.to_string() }),
    }
}

/// Whether one or more of the newest splits explain the difference between the stored price and the new one.
fn split_explains(known: &Known, stored: Decimal, quote: &Quote) -> bool {
    let first = known.price_as_of.map(day_of);
    let last = day_of(quote.as_of).saturating_add(1.day());
    let between = |split: &&ledger::Split| first.is_none_or(|first| first <= split.date) && split.date <= last;
    let mut splits: Vec<&ledger::Split> = known.splits.iter().filter(between).collect();
    splits.sort_by_key(|split| std::cmp::Reverse(split.date));
    let restated = splits.iter().scan(stored, |price, split| {
        *price = price.checked_mul(split.ratio.old)?.checked_div(split.ratio.new)?;
        Some(*price)
    });
    restated.into_iter().any(|price| within(quote.price, price, SPLIT_TOLERANCE_PERCENT))
}
