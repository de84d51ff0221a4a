//! A price of now.

use jiff::{SignedDuration, Timestamp, ToSpan};
use ledger::Decimal;

use super::scale::{far_apart, within};
use super::{Held, Known, day_of};
use crate::provider::Quote;

/// Clocks and time zones may differ by a day, not more.
const AHEAD_MAX: SignedDuration = SignedDuration::from_hours(24);

/// How far a price may be from the known one restated for a split.
const SPLIT_ROOM_PERCENT: i64 = 20;

pub fn quote(known: &Known, quote: &Quote, now: Timestamp) -> Result<(), Held> {
    match doubt(known, quote, now) {
        None => Ok(()),
        Some(reason) => Err(Held::new("price", format!("{} {}", quote.price, quote.unit.currency), reason)),
    }
}

fn doubt(known: &Known, quote: &Quote, now: Timestamp) -> Option<String> {
    if quote.price <= Decimal::ZERO {
        return Some("a price is above zero".to_owned());
    }
    if let Some(unit) = known.unit.filter(|unit| unit.currency != quote.unit.currency) {
        return Some(format!("the stock trades in {}, this price is in {}", unit.currency, quote.unit.currency));
    }
    if quote.as_of.duration_since(now) > AHEAD_MAX {
        return Some(format!("its time, {}, is in the future", quote.as_of));
    }
    if let Some(stored) = known.price_as_of.filter(|stored| quote.as_of < *stored) {
        return Some(format!("not newer: it is of {}, the stored price of {stored}", quote.as_of));
    }
    let stored = known.price.filter(|stored| *stored > Decimal::ZERO && far_apart(quote.price, *stored))?;
    match split_explains(known, stored, quote) {
        true => None,
        false => Some(format!(
            "the stored price is {stored}: more than 50 times apart, and no split explains it; perhaps pence were taken for \
             whole units"
        )),
    }
}

/// Whether the newest splits, one or several of them, lead from the stored price to the new one.
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
    restated.into_iter().any(|price| within(quote.price, price, SPLIT_ROOM_PERCENT))
}
