//! Target yields and prices.

use rust_decimal::Decimal;

use crate::number::Number;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    Reached,
    /// By how many percent the price has to fall to reach the target, two decimals.
    ToGo(Decimal),
}

impl Target {
    /// For a yield in percent: reached if the displayed yield is at or above the target; the distance uses the exact yield.
    pub fn of_yield(shown_pct: Decimal, exact_pct: Decimal, target_pct: Decimal) -> Option<Target> {
        // The price at which the yield equals the target is today's × yield ÷ target.
        Target::new(exact_pct, target_pct, shown_pct >= target_pct)
    }

    /// For a price: reached at or below the target.
    pub fn of_price(price: Decimal, target: Decimal) -> Option<Target> {
        Target::new(target, price, price <= target)
    }

    pub fn is_reached(self) -> bool {
        self == Target::Reached
    }

    /// Zero if it is reached.
    pub fn distance_pct(self) -> Decimal {
        match self {
            Target::Reached => Decimal::ZERO,
            Target::ToGo(percent) => percent,
        }
    }

    fn new(remains: Decimal, whole: Decimal, reached: bool) -> Option<Target> {
        if reached {
            return Some(Target::Reached);
        }
        let mut percent = distance_pct(remains, whole, Decimal::ONE_HUNDRED)?;
        percent.rescale(2);
        Some(Target::ToGo(percent))
    }
}

/// What is missing from the whole, in percent.
pub(crate) fn distance_pct<N: Number>(remains: N, whole: N, hundred: N) -> Option<N> {
    Some(remains.over(whole)?.rest()?.times(hundred)?.half_even(2))
}
