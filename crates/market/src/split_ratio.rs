//! Which ratios are splits, and how splits adjust earlier amounts.

use jiff::civil::Date;
use ledger::{Decimal, Ratio};

use crate::provider::{Dividend, Split};

/// Providers list spin-offs as splits, with the factor by which they adjusted prices (1.046). Real splits are ratios of whole
/// numbers, at least one of them small.
const TERM_MAX: i128 = 100;
/// 0.3333 is a third: providers round to four decimals. Only simple ratios are recognised this way, because something like 91:87
/// is close to any factor.
const ROUNDING: Decimal = Decimal::from_parts(5, 0, 0, false, 5);
const GUESSED_TERM_MAX: u32 = 10;

/// The split that gives `new` shares for `old` ones, in lowest terms; `None` if it is not a split.
pub(crate) fn ratio(new: Decimal, old: Decimal) -> Option<Ratio> {
    if new <= Decimal::ZERO || old <= Decimal::ZERO || new == old {
        return None;
    }
    exact(new, old).or_else(|| guessed(new.checked_div(old)?))
}

fn exact(new: Decimal, old: Decimal) -> Option<Ratio> {
    let scale = new.scale().max(old.scale());
    let whole = |figure: Decimal| figure.mantissa().checked_mul(10i128.checked_pow(scale - figure.scale())?);
    let (new, old) = (whole(new)?, whole(old)?);
    let divisor = greatest_common_divisor(new, old);
    let (new, old) = (new / divisor, old / divisor);
    (new.min(old) <= TERM_MAX).then(|| terms(new, old)).flatten()
}

fn guessed(factor: Decimal) -> Option<Ratio> {
    (1..=GUESSED_TERM_MAX).map(Decimal::from).find_map(|small| {
        let multiple = (small.checked_mul(factor)?.round(), small);
        let fraction = (small, small.checked_div(factor)?.round());
        [multiple, fraction].into_iter().find_map(|(new, old)| {
            let simple = new > Decimal::ZERO && old > Decimal::ZERO && new.max(old) < Decimal::from(TERM_MAX) && new != old;
            let close = new.checked_div(old)?.checked_sub(factor)?.abs() <= ROUNDING;
            (simple && close).then_some(Ratio { new, old })
        })
    })
}

fn terms(new: i128, old: i128) -> Option<Ratio> {
    Some(Ratio { new: Decimal::try_from_i128_with_scale(new, 0).ok()?, old: Decimal::try_from_i128_with_scale(old, 0).ok()? })
}

fn greatest_common_divisor(mut one: i128, mut other: i128) -> i128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

/// With its amount as paid. Without the splits, an adjusted dividend is left out, because the original amount is unknown.
pub(crate) fn as_paid(mut dividend: Dividend, is_adjusted: bool, splits: Option<&[Split]>) -> Option<Dividend> {
    if is_adjusted {
        dividend.amount = as_then(dividend.amount, dividend.ex_date, splits?)?;
    }
    Some(dividend)
}

/// Converts an amount per share of a day from split-adjusted to as it was then.
pub(crate) fn as_then(figure: Decimal, day: Date, splits: &[Split]) -> Option<Decimal> {
    later(day, splits).try_fold(figure, |figure, ratio| figure.checked_mul(ratio.new)?.checked_div(ratio.old)).map(rounded)
}

/// Converts an amount per share of a day to split-adjusted.
pub(crate) fn as_now(figure: Decimal, day: Date, splits: &[Split]) -> Option<Decimal> {
    later(day, splits).try_fold(figure, |figure, ratio| figure.checked_mul(ratio.old)?.checked_div(ratio.new)).map(rounded)
}

/// A split takes effect at the start of its day.
fn later(day: Date, splits: &[Split]) -> impl Iterator<Item = Ratio> {
    splits.iter().filter(move |split| split.date > day).map(|split| split.ratio)
}

/// Thirds have endless decimals; ten are more precise than any price or dividend.
fn rounded(figure: Decimal) -> Decimal {
    figure.round_dp(10).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn found(new: &str, old: &str) -> Option<String> {
        ratio(new.parse().unwrap(), old.parse().unwrap()).map(|ratio| ratio.to_string())
    }

    #[test]
    fn a_split_is_a_ratio_of_whole_numbers_one_of_them_small() {
        for (factor, expected) in [
            ("2.0", "2:1"),
            ("1.5", "3:2"),
            ("0.1", "1:10"),
            ("1.05", "21:20"),
            ("0.004", "1:250"),
            ("0.3333", "1:3"),
            ("0.6667", "2:3"),
            ("1.3333", "4:3"),
            ("0.0667", "1:15"),
            ("0.1429", "1:7"),
        ] {
            assert_eq!(found(factor, "1").as_deref(), Some(expected), "{factor}");
        }
    }

    #[test]
    fn spin_offs_and_invalid_ratios_are_not_splits() {
        for factor in ["1.0460", "1.281", "1", "0", "-2", "1.00001", "0.99999"] {
            assert_eq!(found(factor, "1"), None, "{factor}");
        }
        assert_eq!(found("1046.000000", "1000.000000"), None);
        assert_eq!(found("1", "0"), None);
    }

    #[test]
    fn a_ratio_is_reduced_to_lowest_terms() {
        assert_eq!(found("4.000000", "1.000000").as_deref(), Some("4:1"));
        assert_eq!(found("15", "10").as_deref(), Some("3:2"));
        assert_eq!(found("1.5", "1").as_deref(), Some("3:2"));
        assert_eq!(found("79228162514264337593543950335", "0.0000000001"), None, "too large for a ratio is no panic");
    }

    #[test]
    fn only_later_splits_count() {
        let split = |day, new: i64, old: i64| Split { date: day, ratio: Ratio { new: new.into(), old: old.into() } };
        let splits = [split(date(2014, 6, 9), 7, 1), split(date(2020, 8, 31), 4, 1)];
        // 2.6488 ÷ 28 = 0.0946, and back; on the day of the last split there is nothing left to adjust.
        let (then, now) = (Decimal::new(26488, 4), Decimal::new(946, 4));
        assert_eq!(as_now(then, date(2012, 8, 9), &splits), Some(now));
        assert_eq!(as_then(now, date(2012, 8, 9), &splits), Some(then));
        assert_eq!(as_now(Decimal::new(1000, 0), date(2014, 6, 9), &splits), Some(Decimal::from(250)));
        assert_eq!(as_now(Decimal::new(125, 0), date(2020, 8, 31), &splits), Some(Decimal::from(125)));
        // A third has endless decimals.
        assert_eq!(as_now(Decimal::ONE, date(2019, 1, 1), &[split(date(2020, 1, 1), 3, 1)]), Some(Decimal::new(3333333333, 10)));
    }
}
