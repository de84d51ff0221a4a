//! Whether two figures can be in the same unit.

use ledger::Decimal;

/// Pence taken for pounds differ by a factor of 100; half of that leaves room for real changes.
const FAR: Decimal = Decimal::from_parts(50, 0, 0, false, 0);

/// More than 50 times the other, or less than a fiftieth of it.
pub fn far_apart(figure: Decimal, other: Decimal) -> bool {
    far_above(figure, other) || far_above(other, figure)
}

pub fn far_above(figure: Decimal, other: Decimal) -> bool {
    exceeds(figure, other, FAR)
}

/// `figure > times × other`. A product that overflows is above every figure.
pub fn exceeds(figure: Decimal, other: Decimal, times: Decimal) -> bool {
    other.checked_mul(times).is_some_and(|limit| figure > limit)
}

/// Whether two figures differ by at most this percentage of the second.
pub fn within(figure: Decimal, other: Decimal, percent: i64) -> bool {
    let gap = figure.checked_sub(other).map(|gap| gap.abs());
    let room = other.abs().checked_mul(Decimal::new(percent, 2));
    gap.zip(room).is_some_and(|(gap, room)| gap <= room)
}

pub fn median(mut figures: Vec<Decimal>) -> Option<Decimal> {
    figures.sort_unstable();
    let upper = *figures.get(figures.len() / 2)?;
    let lower = *figures.get((figures.len() - 1) / 2)?;
    // Halved first, because the sum may overflow even if the mean does not.
    lower.checked_div(Decimal::TWO)?.checked_add(upper.checked_div(Decimal::TWO)?)
}
