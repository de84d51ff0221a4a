//! Roots of decimals, without binary floats.

use rust_decimal::Decimal;

/// Rounding errors stay below this decimal place; more than 20 digits of a growth factor are correct.
const DECIMALS: u32 = 24;

/// The positive `n`-th root of a positive number. Exact roots are returned exactly.
pub(crate) fn nth_root(figure: Decimal, n: u32) -> Option<Decimal> {
    if figure <= Decimal::ZERO || n == 0 {
        return None;
    }
    // Powers of small numbers would lose their digits beyond the 28th decimal; their inverse keeps them.
    let root = match figure < Decimal::ONE {
        true => Decimal::ONE.checked_div(newton(Decimal::ONE.checked_div(figure)?, n)?)?,
        false => newton(figure, n)?,
    };
    Some(root.round_dp(DECIMALS).normalize())
}

/// Descends from a guess above the root until rounding stops it. Each step roughly doubles the correct digits.
fn newton(figure: Decimal, n: u32) -> Option<Decimal> {
    const STEPS_MAX: u32 = 200;
    let count = Decimal::from(n);
    let mut guess = power_of_two_above(figure, n)?;
    for _ in 0..STEPS_MAX {
        let quotient = figure.checked_div(power(guess, n - 1)?)?;
        let next = guess.checked_mul(count.checked_sub(Decimal::ONE)?)?.checked_add(quotient)?.checked_div(count)?;
        if next >= guess {
            break;
        }
        guess = next;
    }
    Some(guess)
}

/// The smallest power of two whose `n`-th power is not below the number: close enough to never overflow on the way.
fn power_of_two_above(figure: Decimal, n: u32) -> Option<Decimal> {
    let mut guess = Decimal::ONE;
    while power(guess, n).is_some_and(|power| power < figure) {
        guess = guess.checked_mul(Decimal::TWO)?;
    }
    Some(guess)
}

fn power(figure: Decimal, n: u32) -> Option<Decimal> {
    (0..n).try_fold(Decimal::ONE, |power, _| power.checked_mul(figure))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(figure: &str, n: u32) -> Option<String> {
        nth_root(figure.parse().unwrap(), n).map(|root| root.to_string())
    }

    #[test]
    fn exact_roots_come_out_exact() {
        // 1.1^5 = 1.61051, 0.9^5 = 0.59049, 1.07^4 = 1.31079601, 1000^3 = 10^9, 0.01^5 = 10^-10
        for (figure, n, expected) in [
            ("1.61051", 5, "1.1"),
            ("0.59049", 5, "0.9"),
            ("1.31079601", 4, "1.07"),
            ("1000000000", 3, "1000"),
            ("0.0000000001", 5, "0.01"),
            ("1", 5, "1"),
            ("7.25", 1, "7.25"),
        ] {
            assert_eq!(root(figure, n).as_deref(), Some(expected), "{figure}");
        }
    }

    #[test]
    fn other_roots_have_more_than_twenty_right_digits() {
        // √2 = 1.41421356237309504880168872…, ⁵√2 = 1.14869835499703500679862694…
        assert_eq!(root("2", 2).as_deref(), Some("1.414213562373095048801689"));
        assert_eq!(root("2", 5).as_deref(), Some("1.148698354997035006798627"));
    }

    #[test]
    fn the_ends_of_the_range_have_roots() {
        // 10^28 = (10^7)^4; 10^-28 = (10^-7)^4
        assert_eq!(root("10000000000000000000000000000", 4).as_deref(), Some("10000000"));
        assert_eq!(root("0.0000000000000000000000000001", 4).as_deref(), Some("0.0000001"));
        assert!(nth_root(Decimal::MAX, 5).is_some());
    }

    #[test]
    fn nothing_at_or_below_zero_has_a_root() {
        assert_eq!(root("0", 5), None);
        assert_eq!(root("-1", 5), None);
        assert_eq!(root("2", 0), None);
    }
}
