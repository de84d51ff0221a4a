//! Amounts with their currency, and how they are printed.

use rust_decimal::Decimal;

use crate::Currency;

/// An exact amount of one currency. Rounded only when printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Money {
    pub amount: Decimal,
    pub currency: Currency,
}

/// A number exceeded the range of a 28-digit decimal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow;

impl std::fmt::Display for Overflow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a figure is too large to compute with")
    }
}

impl std::error::Error for Overflow {}

impl Money {
    pub fn new(amount: Decimal, currency: Currency) -> Money {
        Money { amount, currency }
    }

    /// A total: rounded once, half-even, to the currency's minor units, and printed with all of them.
    pub fn aggregate_text(&self) -> String {
        let units = self.currency.minor_units();
        at_least(half_even(self.amount, units), units)
    }

    /// A recorded amount: as entered, with at least the minor units.
    pub fn recorded_text(&self) -> String {
        at_least(self.amount, self.currency.minor_units())
    }

    /// An amount per share: at most ten decimals, half-even, trailing zeros trimmed down to the minor units.
    pub fn per_share_text(&self) -> String {
        at_least(half_even(self.amount, 10).normalize(), self.currency.minor_units())
    }
}

/// The sum of each currency's amounts, by code.
pub fn by_currency(amounts: impl IntoIterator<Item = Money>) -> Result<Vec<Money>, Overflow> {
    let mut sums = std::collections::BTreeMap::new();
    for money in amounts {
        let sum = sums.entry(money.currency).or_insert(Money::new(Decimal::ZERO, money.currency));
        sum.amount = add(sum.amount, money.amount)?;
    }
    Ok(sums.into_values().collect())
}

/// A share count: exact, without trailing zeros.
pub fn shares_text(shares: Decimal) -> String {
    unsigned_zero(shares.normalize()).to_string()
}

fn at_least(figure: Decimal, decimals: u32) -> String {
    let (mut buffer, scale) = (itoa::Buffer::new(), figure.scale() as usize);
    let number = figure.mantissa().unsigned_abs();
    let digits = match u64::try_from(number) {
        Ok(few) => buffer.format(few),
        Err(_) => buffer.format(number),
    };
    let mut text = String::with_capacity(digits.len() + 8);
    if figure.mantissa() < 0 {
        text.push('-');
    }
    let whole = digits.len().saturating_sub(scale);
    text.push_str(if whole == 0 { "0" } else { &digits[..whole] });
    if scale > 0 || decimals > 0 {
        text.push('.');
        text.extend(std::iter::repeat_n('0', scale.saturating_sub(digits.len())));
        text.push_str(&digits[whole..]);
        text.extend(std::iter::repeat_n('0', (decimals as usize).saturating_sub(scale)));
    }
    text
}

/// Rounded half-even to at most this many decimals.
pub(crate) fn half_even(figure: Decimal, decimals: u32) -> Decimal {
    let excess = figure.scale().saturating_sub(decimals);
    if excess == 0 {
        return figure;
    }
    let (number, unit) = (figure.mantissa().unsigned_abs(), 10_u128.pow(excess));
    let kept = number / unit;
    let cut = (number - kept * unit) * 2;
    let away = cut > unit || (cut == unit && kept % 2 != 0);
    let rounded = (kept + u128::from(away)) as i128;
    Decimal::try_from_i128_with_scale(if figure.is_sign_negative() { -rounded } else { rounded }, decimals).unwrap_or(figure)
}

/// With twenty decimals, or as many as fit: figures with one scale are much faster to add and compare.
/// The rest does not matter for any currency.
pub(crate) fn carried(mut figure: Decimal) -> Decimal {
    figure.rescale(20);
    figure
}

fn unsigned_zero(mut figure: Decimal) -> Decimal {
    if figure.is_zero() {
        figure.set_sign_positive(true);
    }
    figure
}

/// Checked arithmetic with short names: a money calculation is either exact enough or fails.
pub fn add(a: Decimal, b: Decimal) -> Result<Decimal, Overflow> {
    a.checked_add(b).ok_or(Overflow)
}

pub fn sub(a: Decimal, b: Decimal) -> Result<Decimal, Overflow> {
    a.checked_sub(b).ok_or(Overflow)
}

pub fn mul(a: Decimal, b: Decimal) -> Result<Decimal, Overflow> {
    a.checked_mul(b).ok_or(Overflow)
}

pub fn div(a: Decimal, b: Decimal) -> Result<Decimal, Overflow> {
    a.checked_div(b).ok_or(Overflow)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal::RoundingStrategy;

    use super::*;

    proptest! {
        #[test]
        fn figures_are_rounded_and_printed_like_decimals(high: u32, middle: u32, low: u32, negative: bool, scale in 0_u32..=28, places in 0_u32..=12) {
            for figure in [Decimal::from_parts(low, middle, high, negative, scale), Decimal::from_parts(low % 2_000, 0, 0, negative, scale)] {
                let rounded = half_even(figure, places);
                prop_assert_eq!(rounded, figure.round_dp_with_strategy(places, RoundingStrategy::MidpointNearestEven));
                let (printed, plain) = (at_least(rounded, 0), unsigned_zero(rounded).to_string());
                prop_assert_eq!(&printed, &plain);
                let padded = at_least(rounded, places);
                prop_assert!(padded.starts_with(&plain) && padded[plain.len()..].bytes().all(|digit| b".0".contains(&digit)));
                prop_assert_eq!(padded.split_once('.').map_or(0, |(_, decimals)| decimals.len()), places as usize);
            }
        }
    }
}
