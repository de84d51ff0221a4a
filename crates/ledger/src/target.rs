//! A yield or a price that somebody waits for.

use rust_decimal::{Decimal, RoundingStrategy};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    Reached,
    /// The price has to fall by so many percent, one decimal, for the target to be met.
    ToGo(Decimal),
}

impl Target {
    /// Of a yield in percent: reached from the target up, as the yield is shown; how far it is comes from the exact one.
    pub fn of_yield(shown_pct: Decimal, exact_pct: Decimal, target_pct: Decimal) -> Option<Target> {
        // The price at which the yield is the target is today's × yield ÷ target.
        Target::new(exact_pct, target_pct, shown_pct >= target_pct)
    }

    /// Of a price: reached from the target down.
    pub fn of_price(price: Decimal, target: Decimal) -> Option<Target> {
        Target::new(target, price, price <= target)
    }

    pub fn is_reached(self) -> bool {
        self == Target::Reached
    }

    fn new(remains: Decimal, whole: Decimal, reached: bool) -> Option<Target> {
        if reached {
            return Some(Target::Reached);
        }
        let percent = Decimal::ONE.checked_sub(remains.checked_div(whole)?)?.checked_mul(Decimal::ONE_HUNDRED)?;
        Some(Target::ToGo(percent.round_dp_with_strategy(1, RoundingStrategy::MidpointNearestEven)))
    }
}
