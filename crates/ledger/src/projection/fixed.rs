//! Numbers in binary fixed point: multiples of 2^-64, truncated at every step, with a bound on the error. There is no result if
//! the error could change how a figure is rounded: a tie, such as 12.345, can only be told from its neighbours in decimals.

use rust_decimal::Decimal;

use super::Number;

/// The true number is between `value` and `value + off`, both in units of 2^-64.
#[derive(Clone, Copy)]
pub(super) struct Fixed {
    value: u128,
    off: u64,
}

const ONE: u128 = 1 << 64;
/// Keeps the products and sums of very many within 128 bits.
const MAX: u128 = 1 << (64 + 50);
/// Decimals of the results; more than any currency has.
const DECIMALS: u32 = 12;
/// More than half a unit of the last of them.
const LAST_DECIMAL: u128 = 1 << 25;

impl Number for Fixed {
    const ZERO: Fixed = Fixed { value: 0, off: 0 };

    /// `None` if negative or too large.
    fn new(figure: Decimal) -> Option<Fixed> {
        let value = cut(figure).filter(|value| *value <= MAX)?;
        Some(Fixed { value, off: 1 })
    }

    fn add(self, other: Fixed) -> Option<Fixed> {
        Some(Fixed { value: self.value.checked_add(other.value)?, off: self.off.checked_add(other.off)? })
    }

    fn part(self, fraction: Fixed) -> Option<Fixed> {
        if fraction.value > ONE {
            return None;
        }
        // The error of the number does not grow; that of the fraction, and the truncation, are added.
        let off = integer_part(self.value) + 4;
        Some(Fixed { value: product(self.value, fraction.value)?, off: self.off.checked_add(off.try_into().ok()?)? })
    }

    fn grown(self, factor: Option<Fixed>, _: Decimal) -> Option<Fixed> {
        let (factor, off) = (factor?, u128::from(self.off));
        let (whole, part, factor_off) = (integer_part(factor.value), factor.value % ONE, u128::from(factor.off));
        // (a + a.off) × (b + b.off) exceeds the truncated a × b by a.off × b + a.off × b.off + a × b.off, each truncated, too.
        let off =
            off * whole + ((off * part) >> 64) + ((off * factor_off) >> 64) + (integer_part(self.value) + 1) * factor_off + 4;
        let value = product(self.value, factor.value).filter(|value| *value <= MAX)?;
        Some(Fixed { value, off: off.try_into().ok()? })
    }

    /// The figure, if everything within the error rounds to the same amount.
    fn figure(self, places: u32) -> Option<Decimal> {
        let (unit, sum, off) = (10_u128.pow(places), self.value, self.error());
        let nearest = |sum: u128| Some(integer_part(sum.checked_mul(unit)?.checked_add(ONE / 2)?));
        if nearest(sum.saturating_sub(off))? != nearest(sum.checked_add(off)?)? {
            return None;
        }
        let last = 10_u128.pow(DECIMALS);
        let digits = integer_part(sum).checked_mul(last)? + integer_part((sum % ONE) * last + ONE / 2);
        Decimal::try_from_i128_with_scale(digits.try_into().ok()?, DECIMALS).ok()
    }
}

impl Fixed {
    /// How far the same figure in decimals can be from this one.
    fn error(self) -> u128 {
        // 28-digit decimals also have an error: far less than a millionth of 2^-64 of a figure.
        (u128::from(self.off) + integer_part(self.value >> 20)).max(LAST_DECIMAL)
    }
}

fn integer_part(number: u128) -> u128 {
    number >> 64
}

/// The product of two multiples of 2^-64, truncated.
fn product(a: u128, b: u128) -> Option<u128> {
    let (a_whole, a_part, b_whole, b_part) = (integer_part(a), a % ONE, integer_part(b), b % ONE);
    let parts = (a_part * b_part) >> 64;
    let middle = (a_whole * b_part).checked_add(a_part * b_whole)?.checked_add(parts)?;
    a_whole.checked_mul(b_whole)?.checked_mul(ONE)?.checked_add(middle)
}

fn cut(figure: Decimal) -> Option<u128> {
    let digits = u128::try_from(figure.mantissa()).ok()?;
    let unit = 10_u128.pow(figure.scale());
    let (mut number, mut rest) = (digits / unit, digits % unit);
    if number >= 1 << 62 {
        return None;
    }
    // The remainder has 94 bits, which leaves room for 32 more at a time.
    for _ in 0..2 {
        rest <<= 32;
        number = (number << 32) + rest / unit;
        rest %= unit;
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn d(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn numbers_are_truncated_to_64_binary_digits() {
        assert_eq!(cut(d("1")), Some(ONE));
        assert_eq!(cut(d("0.5")), Some(ONE / 2));
        assert_eq!(cut(d("3.0000")), Some(3 * ONE));
        // 2^64 ÷ 10 = 1844674407370955161.6
        assert_eq!(cut(d("0.1")), Some(1_844_674_407_370_955_161));
        assert_eq!(cut(d("0.1000000000000000000000000000")), Some(1_844_674_407_370_955_161));
        assert_eq!(cut(d("-1")), None);
        assert_eq!(cut(Decimal::MAX), None);
    }

    #[test]
    fn negative_or_large_numbers_are_left_to_decimals() {
        // 2^50 = 1125899906842624
        let fits = |text: &str| Fixed::new(d(text)).is_some();
        assert!(fits("1125899906842624") && fits("0"));
        assert!(!fits("1125899906842624.1") && !fits("-0.1"));
        let grown = |text: &str, factor: &str| Fixed::new(d(text)).unwrap().grown(Fixed::new(d(factor)), Decimal::MAX);
        assert!(grown("562949953421312", "2").is_some() && grown("562949953421312", "2.1").is_none());
        assert!(Fixed::new(d("1")).unwrap().grown(None, Decimal::MAX).is_none());
    }

    #[test]
    fn the_bound_covers_what_was_truncated() {
        // 2^64 ÷ 3 = 6148914691236517205.33…, and 3 × 0.33… is 1.
        let third = Fixed::new(Decimal::ONE / d("3")).unwrap();
        let grown = |number: Fixed, factor: &str| number.grown(Fixed::new(d(factor)), Decimal::MAX).unwrap();
        let whole = grown(third, "3");
        assert!(whole.value < ONE && whole.value + u128::from(whole.off) >= ONE && whole.off < 12);
        let (mut power, mut exact) = (Fixed::new(d("1.1")).unwrap(), 11_u128);
        for digits in 2..=20 {
            power = grown(power, "1.1");
            exact *= 11;
            let expected = cut(Decimal::from_i128_with_scale(exact as i128, digits)).unwrap();
            assert!(power.value <= expected && expected <= power.value + u128::from(power.off), "1.1^{digits}");
            assert!(power.off < 1 << 9);
        }
    }

    #[test]
    fn the_bound_of_a_part_covers_what_was_truncated() {
        let number = |text: &str| Fixed::new(d(text)).unwrap();
        // 1000.1 × 0.85 = 850.085
        let (part, expected) = (number("1000.1").part(number("0.85")).unwrap(), cut(d("850.085")).unwrap());
        assert!(part.value <= expected && expected <= part.value + u128::from(part.off) && part.off < 1_006);
        assert!(number("2").part(number("1")).is_some() && number("2").part(number("1.1")).is_none());
    }

    #[test]
    fn products_are_truncated_too() {
        assert_eq!(product(3 * ONE / 2, 3 * ONE / 2), Some(9 * ONE / 4));
        assert_eq!(product(1, ONE - 1), Some(0));
        assert_eq!(product(u128::MAX, u128::MAX), None);
        assert_eq!(product(MAX, 16 * ONE - 1).map(integer_part), Some((16 << 50) - 1));
    }

    #[test]
    fn a_figure_near_a_rounding_boundary_is_left_to_decimals() {
        let figure = |text: &str, places| Fixed::new(d(text)).unwrap().figure(places).map(|figure| figure.to_string());
        assert_eq!(figure("0.1234", 2).as_deref(), Some("0.123400000000"));
        assert_eq!(figure("12.345", 2), None);
        assert_eq!(figure("12.3450000000001", 2), None);
        assert_eq!(figure("12.34500000001", 2).as_deref(), Some("12.345000000010"));
        assert_eq!(figure("12.345", 3).as_deref(), Some("12.345000000000"));
        assert_eq!(figure("12.5", 0), None);
        assert_eq!(figure("0", 2).as_deref(), Some("0.000000000000"));
    }
}
