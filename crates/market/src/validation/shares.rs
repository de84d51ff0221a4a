//! Figures per share, across splits.

use jiff::civil::Date;
use ledger::{Decimal, Split};

/// A figure per share of one day, per share of another. None where it is too large to compute.
pub fn restated(figure: Decimal, from: Date, to: Date, splits: &[Split]) -> Option<Decimal> {
    let (earlier, later) = (from.min(to), from.max(to));
    let between = splits.iter().filter(|split| earlier < split.date && split.date <= later);
    between.map(|split| split.ratio).try_fold(figure, |figure, ratio| match from <= to {
        true => figure.checked_mul(ratio.old)?.checked_div(ratio.new),
        false => figure.checked_mul(ratio.new)?.checked_div(ratio.old),
    })
}
