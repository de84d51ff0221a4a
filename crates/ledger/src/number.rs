//! Arithmetic that is written once for plain decimals and for figures that explain themselves.

use rust_decimal::Decimal;

/// A decimal, or a decimal with the inputs it was computed from. `None` is a result beyond the range of a decimal.
pub(crate) trait Number: Sized {
    fn sum(all: impl Iterator<Item = Option<Self>>) -> Option<Self>;
    fn times(self, other: Self) -> Option<Self>;
    fn over(self, other: Self) -> Option<Self>;
    /// One minus the number.
    fn rest(self) -> Option<Self>;
    /// From a currency with this rate per euro to another.
    fn converted(self, from: Self, to: Self) -> Option<Self>;
    /// See [`crate::money::carried`].
    fn carried(self) -> Self;
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
    fn rest(self) -> Option<Decimal> {
        Decimal::ONE.checked_sub(self)
    }

    #[inline]
    fn converted(self, from: Decimal, to: Decimal) -> Option<Decimal> {
        self.checked_mul(to)?.checked_div(from)
    }

    #[inline]
    fn carried(self) -> Decimal {
        crate::money::carried(self)
    }
}
