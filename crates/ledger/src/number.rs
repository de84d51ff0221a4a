//! Arithmetic that is written once for plain decimals and for figures that explain themselves.

use rust_decimal::Decimal;

use crate::root::nth_root;

/// A decimal, or a decimal with the inputs it was computed from. `None` is a result beyond the range of a decimal.
pub(crate) trait Number: Sized {
    fn sum(all: impl Iterator<Item = Option<Self>>) -> Option<Self>;
    fn times(self, other: Self) -> Option<Self>;
    fn over(self, other: Self) -> Option<Self>;
    fn less(self, other: Self) -> Option<Self>;
    /// One minus the number.
    fn rest(self) -> Option<Self>;
    /// One plus the number.
    fn plus_one(self) -> Option<Self>;
    /// Not below the other.
    fn at_least(self, least: Self) -> Option<Self>;
    /// Of a positive number.
    fn square_root(self) -> Option<Self>;
    /// 0 at `from` and below, 10 at `to` and above; `None` if the one is not below the other.
    fn points(self, from: Self, to: Self) -> Option<Self>;
    fn is_positive(&self) -> bool;
    /// From a currency with this rate per euro to another.
    fn converted(self, from: Self, to: Self) -> Option<Self>;
    /// See [`crate::money::carried`].
    fn carried(self) -> Self;
    fn half_even(self, decimals: u32) -> Self;
    /// A number of a definition.
    fn constant(number: Decimal) -> Self;
    /// With a name for explanations.
    fn called(self, name: &'static str) -> Self;
}

impl Number for Decimal {
    #[inline]
    fn sum(mut all: impl Iterator<Item = Option<Decimal>>) -> Option<Decimal> {
        all.try_fold(Decimal::ZERO, |sum, figure| sum.checked_add(figure?))
    }

    #[inline]
    fn times(self, other: Decimal) -> Option<Decimal> {
        self.checked_mul(other)
    }

    #[inline]
    fn over(self, other: Decimal) -> Option<Decimal> {
        self.checked_div(other)
    }

    #[inline]
    fn less(self, other: Decimal) -> Option<Decimal> {
        self.checked_sub(other)
    }

    #[inline]
    fn rest(self) -> Option<Decimal> {
        Decimal::ONE.checked_sub(self)
    }

    #[inline]
    fn plus_one(self) -> Option<Decimal> {
        Decimal::ONE.checked_add(self)
    }

    #[inline]
    fn at_least(self, least: Decimal) -> Option<Decimal> {
        Some(self.max(least))
    }

    fn square_root(self) -> Option<Decimal> {
        nth_root(self, 2)
    }

    fn points(self, from: Decimal, to: Decimal) -> Option<Decimal> {
        let width = to.checked_sub(from).filter(|width| *width > Decimal::ZERO)?;
        let place = self.checked_sub(from)?.checked_div(width)?;
        place.clamp(Decimal::ZERO, Decimal::ONE).checked_mul(Decimal::TEN)
    }

    #[inline]
    fn is_positive(&self) -> bool {
        *self > Decimal::ZERO
    }

    #[inline]
    fn converted(self, from: Decimal, to: Decimal) -> Option<Decimal> {
        self.checked_mul(to)?.checked_div(from)
    }

    #[inline]
    fn carried(self) -> Decimal {
        crate::money::carried(self)
    }

    fn half_even(self, decimals: u32) -> Decimal {
        crate::money::half_even(self, decimals)
    }

    #[inline]
    fn constant(number: Decimal) -> Decimal {
        number
    }

    #[inline]
    fn called(self, _: &'static str) -> Decimal {
        self
    }
}
