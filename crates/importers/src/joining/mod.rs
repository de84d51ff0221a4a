//! Rows of a file that belong together: a dividend and its tax, a trade and its cancellation, the two halves of a split.

pub mod added_shares;
pub mod cancelled_trades;
pub mod fills;
pub mod held_cost;
pub mod holdings;
pub mod moved_shares;
pub mod named_dividend;
pub mod negative_purchase;
pub mod order;
pub mod payments;
pub mod reinvested;
pub mod split_ratio;

use jiff::civil::Date;
use ledger::Decimal;

/// `None` only if both are missing.
pub fn sum(one: Option<Decimal>, other: Option<Decimal>) -> Option<Decimal> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        (one, other) => one.or(other),
    }
}

/// From one day to another; negative if the other is earlier.
pub fn days(from: Date, to: Date) -> i32 {
    from.until(to).map_or(i32::MAX, |span| span.get_days())
}
