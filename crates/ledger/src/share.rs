//! Shares of a total.

use rust_decimal::{Decimal, RoundingStrategy};

/// As an exact fraction; `None` if the whole is not positive.
pub fn share(part: Decimal, whole: Decimal) -> Option<Decimal> {
    part.checked_div(Some(whole).filter(|whole| *whole > Decimal::ZERO)?)
}

/// In percent, rounded half-even to two decimals.
pub fn share_pct(part: Decimal, whole: Decimal) -> Option<Decimal> {
    percent(share(part, whole)?)
}

/// A fraction in percent, rounded half-even to two decimals and printed with both.
pub(crate) fn percent(fraction: Decimal) -> Option<Decimal> {
    let mut percent = fraction.checked_mul(Decimal::ONE_HUNDRED)?;
    percent = percent.round_dp_with_strategy(2, RoundingStrategy::MidpointNearestEven);
    percent.rescale(2);
    Some(percent)
}
