//! The price of a day in the past.

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Decimal, Split};

const DAYS_OLD_MAX: i64 = 7;

/// A price from before this day is not that of the other day.
pub(crate) fn oldest_of(day: Date) -> Date {
    day.saturating_sub(DAYS_OLD_MAX.days())
}

/// A price that is adjusted for the splits until one day, as of another day.
pub(crate) fn per_share(price: Decimal, adjusted: Date, day: Date, splits: &[Split]) -> Option<Decimal> {
    let between = |first: Date, last: Date| splits.iter().filter(move |split| first < split.date && split.date <= last);
    let undone = between(day, adjusted).map(|split| (split.ratio.new, split.ratio.old));
    let applied = between(adjusted, day).map(|split| (split.ratio.old, split.ratio.new));
    undone.chain(applied).try_fold(price, |price, (times, by)| price.checked_mul(times)?.checked_div(by))
}
