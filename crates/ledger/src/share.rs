//! Shares of a total.

use rust_decimal::{Decimal, RoundingStrategy};

/// As an exact fraction; `None` if the whole is not positive.
pub fn share(part: Decimal, whole: Decimal) -> Option<Decimal> {
    part.checked_div(Some(whole).filter(|whole| *whole > Decimal::ZERO)?)
}

/// In percent, rounded half-even to one decimal.
pub fn share_pct(part: Decimal, whole: Decimal) -> Option<Decimal> {
    let percent = share(part, whole)?.checked_mul(Decimal::ONE_HUNDRED)?;
    Some(percent.round_dp_with_strategy(1, RoundingStrategy::MidpointNearestEven))
}
