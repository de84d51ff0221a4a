//! Split ratios from share counts and decimals that brokers have rounded.

use ledger::{Decimal, Ratio};

/// No company splits by more than this, and beyond it share counts prove nothing.
const PART_MAX: Decimal = Decimal::from_parts(1_000, 0, 0, false, 0);
/// Counts with fewer decimals than this are taken as exact, unless that gives no result.
const DECIMALS_MIN: u32 = 4;

/// The ratio that turns `before` shares into `after`, if it is certain: exact up to the rounding of fractional shares, and one
/// that companies use. Any other ratio results if the file lacks some of the shares.
pub fn of_counts(before: Decimal, after: Decimal) -> Option<Ratio> {
    unrounded(before, after).filter(|ratio| is_usual(*ratio))
}

/// The ratio of new shares received for old ones, if the file has both: any ratio that leads from one count to the other. In
/// lowest terms if they are small.
pub fn of_exchange(old: Decimal, new: Decimal) -> Option<Ratio> {
    if old <= Decimal::ZERO || new <= Decimal::ZERO {
        return None;
    }
    unrounded(old, new).or_else(|| lowest_terms(new, old)).or(Some(Ratio { new: new.normalize(), old: old.normalize() }))
}

/// A ratio written as a decimal: 4 is 4:1, 0.2 is 1:5, 0.3333 is 1:3.
pub fn of_decimal(factor: Decimal) -> Option<Ratio> {
    if factor <= Decimal::ZERO {
        return None;
    }
    let factor = factor.normalize();
    let written = simplest(factor, Decimal::ZERO).filter(|ratio| ratio.old <= Decimal::ONE_HUNDRED);
    let half_a_digit = Decimal::new(5, (factor.scale() + 1).min(20));
    written.or_else(|| simplest(factor, half_a_digit)).or(Some(Ratio { new: factor, old: Decimal::ONE }))
}

/// `4:1`, `1:10`, small fractions such as `3:2`, one share for every few held (`21:20`), and stock dividends in percent.
fn is_usual(ratio: Ratio) -> bool {
    let (more, less) = (ratio.new.max(ratio.old), ratio.new.min(ratio.old));
    let apart = more.saturating_sub(less);
    let one_of_many = apart == Decimal::ONE && less <= Decimal::ONE_HUNDRED;
    match () {
        () if apart.is_zero() || more > PART_MAX => false,
        () if less == Decimal::ONE || one_of_many => true,
        () => (less <= Decimal::from(5) && more <= Decimal::TEN) || is_dividend_in_shares(ratio.old, apart),
    }
}

/// In half percents, up to a quarter.
fn is_dividend_in_shares(old: Decimal, apart: Decimal) -> bool {
    let half_per_cents = Decimal::from(200).checked_rem(old).is_some_and(|rest| rest.is_zero());
    half_per_cents && apart.saturating_mul(Decimal::from(4)) <= old
}

/// The simplest ratio between two counts that are rounded to their last digit.
fn unrounded(before: Decimal, after: Decimal) -> Option<Ratio> {
    if before <= Decimal::ZERO || after <= Decimal::ZERO {
        return None;
    }
    let printed = before.normalize().scale().max(after.normalize().scale());
    let factor = after.checked_div(before)?;
    let to = |decimals: u32| {
        let unit = Decimal::new(1, decimals.min(18));
        // Both counts may be off; the error of the first is multiplied by the split.
        let slack = unit.checked_mul(factor.checked_add(Decimal::ONE)?)?.checked_div(before)?;
        simplest(factor, slack)
    };
    to(printed.max(DECIMALS_MIN)).filter(|ratio| ratio.new.max(ratio.old) <= PART_MAX).or_else(|| {
        let coarse = (1..DECIMALS_MIN).contains(&printed);
        coarse.then(|| to(printed)).flatten()
    })
}

fn lowest_terms(new: Decimal, old: Decimal) -> Option<Ratio> {
    let (mut one, mut other) = (new, old);
    while !other.is_zero() {
        (one, other) = (other, one.checked_rem(other)?);
    }
    let part = |figure: Decimal| Some(figure.checked_div(one)?.normalize()).filter(|part| part.is_integer() && *part <= PART_MAX);
    Some(Ratio { new: part(new)?, old: part(old)? })
}

/// The fraction with the smallest numbers within `slack` of `value`; `None` if others are about as likely.
fn simplest(value: Decimal, slack: Decimal) -> Option<Ratio> {
    const STEPS_MAX: usize = 20;
    let least = Decimal::new(1, 22);
    let mut rest = value;
    let (mut new, mut old) = ((Decimal::ONE, Decimal::ZERO), (Decimal::ZERO, Decimal::ONE));
    for _ in 0..STEPS_MAX {
        let whole = rest.floor();
        new = (whole.checked_mul(new.0)?.checked_add(new.1)?, new.0);
        old = (whole.checked_mul(old.0)?.checked_add(old.1)?, old.0);
        let off = new.0.checked_div(old.0)?.checked_sub(value)?.abs();
        if off <= slack.max(least) && !new.0.is_zero() {
            let width = slack.checked_mul(Decimal::TWO)?.checked_div(value)?;
            let by_chance = new.0.checked_mul(old.0)?.checked_mul(width)?;
            return (by_chance < Decimal::new(1, 1)).then_some(Ratio { new: new.0, old: old.0 });
        }
        rest = Decimal::ONE.checked_div(rest.checked_sub(whole)?)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worked_out(ratio: fn(Decimal, Decimal) -> Option<Ratio>, before: &str, after: &str) -> String {
        ratio(before.parse().unwrap(), after.parse().unwrap()).map_or("-".to_owned(), |ratio| ratio.to_string())
    }

    #[test]
    fn the_split_ratio_follows_from_share_counts_if_unambiguous() {
        for (before, after, ratio, why) in [
            ("10", "40", "4:1", ""),
            ("200", "2", "1:100", ""),
            ("10.5", "15.75", "3:2", ""),
            ("100", "105", "21:20", "a dividend in shares of 5%"),
            ("200", "207", "207:200", "of 3.5%"),
            ("30", "31", "31:30", "a share for every 30"),
            ("26", "25", "25:26", "a consolidation after capital was paid back"),
            ("0.08215962", "0.24647886", "3:1", ""),
            ("0.223214", "2.23214", "10:1", ""),
            ("1", "0.33333333", "1:3", "rounded"),
            ("1.23456789", "0.41152263", "1:3", "rounded"),
            ("1", "1.333333", "4:3", "rounded"),
            ("10", "3.33", "1:3", "rounded to hundredths"),
            ("1.5", "0.5", "1:3", "exact, though 2:5 would round to it"),
            ("7", "97", "-", "97:7 is what is left when rows are missing"),
            ("8", "13", "-", "so is 13:8"),
            ("101", "151", "-", "a half of a share was paid in cash, or a share is missing"),
            ("7", "52", "-", "52:7"),
            ("100", "104.84", "-", "2621:2500, or any other nearby"),
            ("0.0007", "0.0009", "-", "one digit is no proof"),
            ("0.000001", "0.00001", "-", "rounding could be anything here"),
            ("0.001", "30.001", "-", "no company splits 30001:1"),
            ("10", "10", "-", "nothing happened"),
            ("0", "5", "-", ""),
            ("5", "0", "-", ""),
            ("-5", "25", "-", ""),
        ] {
            assert_eq!(worked_out(of_counts, before, after), ratio, "{before} became {after}: {why}");
        }
    }

    #[test]
    fn the_split_ratio_follows_from_shares_out_and_in() {
        for (old, new, ratio) in [
            ("5", "50", "10:1"),
            ("85", "8", "8:85"),
            ("15", "1.5", "1:10"),
            ("12", "7.38461538", "8:13"),
            ("1", "0.33333333", "1:3"),
            ("25000", "38.46", "38.46:25000"),
            ("100", "104.84", "104.84:100"),
            ("0", "5", "-"),
            ("5", "0", "-"),
        ] {
            assert_eq!(worked_out(of_exchange, old, new), ratio, "{old} became {new}");
        }
    }

    #[test]
    fn a_decimal_is_converted_to_a_split_ratio() {
        let of = |text: &str| of_decimal(text.parse().unwrap()).map(|ratio| ratio.to_string());
        for (text, ratio) in [
            ("4", "4:1"),
            ("0.2", "1:5"),
            ("1.5", "3:2"),
            ("0.3333", "1:3"),
            ("0.125", "1:8"),
            ("0.0333", "1:30"),
            ("1.05", "21:20"),
            ("1.0484", "1.0484:1"),
            ("0.01", "1:100"),
        ] {
            assert_eq!(of(text).as_deref(), Some(ratio), "{text}");
        }
        assert_eq!(of("0"), None);
        assert_eq!(of("-2"), None);
    }
}
