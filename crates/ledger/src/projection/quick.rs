//! The projection in binary fixed point: a number is a multiple of 2^-64, truncated at every step, with a bound on the error. If
//! the error could change how a figure is rounded, there is no result, and decimals are used.

use rust_decimal::Decimal;

use super::Year;

/// The factors of a year, each truncated to a multiple of 2^-64.
pub(super) struct Growing {
    income: u128,
    kept: u128,
    factor: u128,
}

/// Keeps products and sums of very many within 128 bits.
const INCOME_MAX: u128 = 1 << (64 + 50);
const FACTOR_MAX: u128 = 16 << 64;
/// Decimals of the results; more than any currency has.
const DECIMALS: u32 = 12;
/// More than half a unit of the last of them.
const LAST_DECIMAL: u128 = 1 << 25;

impl Growing {
    /// None if negative or too large.
    pub fn new(income: Decimal, kept: Decimal, factor: Decimal) -> Option<Growing> {
        let growing = Growing { income: cut(income)?, kept: cut(kept)?, factor: cut(factor)? };
        (growing.income <= INCOME_MAX && growing.kept <= ONE && growing.factor < FACTOR_MAX).then_some(growing)
    }
}

const ONE: u128 = 1 << 64;

/// The years after the current one, to be rounded to this many decimals.
pub(super) fn later_years(all: &[Growing], years: usize, places: u32) -> Option<Vec<Year>> {
    let mut sums = vec![Sum::default(); years];
    for one in all {
        let mut income = one.income;
        // In units of 2^-64, like the error.
        let mut off = 1;
        for sum in &mut sums {
            // (income + off) × (factor + 1) exceeds the truncated income × factor by at most this.
            off = product(off, one.factor)?.checked_add(integer_part(income) + 4)?;
            income = product(income, one.factor).filter(|grown| *grown <= INCOME_MAX)?;
            sum.add(income, product(income, one.kept)?, off)?;
        }
    }
    sums.into_iter().map(|sum| sum.year(places)).collect()
}

#[derive(Clone, Copy, Default)]
struct Sum {
    income: u128,
    net_income: u128,
    off: u128,
}

impl Sum {
    fn add(&mut self, income: u128, net_income: u128, off: u128) -> Option<()> {
        self.income = self.income.checked_add(income)?;
        self.net_income = self.net_income.checked_add(net_income)?;
        // The net error is smaller than the gross error, plus the truncation of its own product.
        self.off = self.off.checked_add(off)?.checked_add(integer_part(income) + 4)?;
        Some(())
    }

    fn year(self, places: u32) -> Option<Year> {
        // 28-digit decimals also have an error: far less than a millionth of 2^-64 of a figure.
        let off = self.off.checked_add(integer_part(self.income >> 20))?;
        Some(Year { income: figure(self.income, off, places)?, net_income: figure(self.net_income, off, places)? })
    }
}

/// The figure, if everything within the error rounds to the same amount.
fn figure(sum: u128, off: u128, places: u32) -> Option<Decimal> {
    let (unit, off) = (10_u128.pow(places), off.max(LAST_DECIMAL));
    let nearest = |sum: u128| Some(integer_part(sum.checked_mul(unit)?.checked_add(ONE / 2)?));
    if nearest(sum.saturating_sub(off))? != nearest(sum.checked_add(off)?)? {
        return None;
    }
    let last = 10_u128.pow(DECIMALS);
    let digits = integer_part(sum).checked_mul(last)? + integer_part((sum % ONE) * last + ONE / 2);
    Decimal::try_from_i128_with_scale(digits.try_into().ok()?, DECIMALS).ok()
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
        let most = ("1125899906842624", "1", "15.999");
        let fits = |(income, kept, factor): (&str, &str, &str)| Growing::new(d(income), d(kept), d(factor)).is_some();
        assert!(fits(most) && fits(("0", "0", "0")));
        assert!(!fits(("1125899906842624.1", most.1, most.2)) && !fits(("-0.1", most.1, most.2)));
        assert!(!fits((most.0, "1.1", most.2)) && !fits((most.0, "-0.1", most.2)));
        assert!(!fits((most.0, most.1, "16")) && !fits((most.0, most.1, "-0.1")));
    }

    #[test]
    fn products_are_truncated_too() {
        assert_eq!(product(3 * ONE / 2, 3 * ONE / 2), Some(9 * ONE / 4));
        assert_eq!(product(1, ONE - 1), Some(0));
        assert_eq!(product(u128::MAX, u128::MAX), None);
        assert_eq!(product(INCOME_MAX, FACTOR_MAX - 1).map(integer_part), Some((16 << 50) - 1));
    }

    #[test]
    fn a_figure_near_a_rounding_boundary_is_left_to_decimals() {
        let figure = |text: &str, places| figure(cut(d(text)).unwrap(), 1, places).map(|figure| figure.to_string());
        assert_eq!(figure("0.1234", 2).as_deref(), Some("0.123400000000"));
        assert_eq!(figure("12.345", 2), None);
        assert_eq!(figure("12.3450000000001", 2), None);
        assert_eq!(figure("12.34500000001", 2).as_deref(), Some("12.345000000010"));
        assert_eq!(figure("12.345", 3).as_deref(), Some("12.345000000000"));
        assert_eq!(figure("12.5", 0), None);
        assert_eq!(figure("0", 2).as_deref(), Some("0.000000000000"));
    }
}
