//! Amounts per share, across splits.

use jiff::civil::Date;
use ledger::{Decimal, Split};

/// Converts an amount per share from one day's shares to another's. `None` if it overflows.
pub fn restated(figure: Decimal, from: Date, to: Date, splits: &[Split]) -> Option<Decimal> {
    let (earlier, later) = (from.min(to), from.max(to));
    let between = splits.iter().filter(|split| earlier < split.date && split.date <= later);
    between.map(|split| split.ratio).try_fold(figure, |figure, ratio| match from <= to {
        true => figure.checked_mul(ratio.old)?.checked_div(ratio.new),
        false => figure.checked_mul(ratio.new)?.checked_div(ratio.old),
    })
}
