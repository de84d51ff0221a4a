//! How a typical year's net income is spread over the months.

use std::cmp::Reverse;

use rust_decimal::{Decimal, RoundingStrategy};

use crate::Overflow;
use crate::holding::Payer;
use crate::money::{add, carried, div};

/// Net figures in the preferred currency, not rounded unless noted. Months are 1 to 12.
#[derive(Clone, PartialEq, Debug)]
pub struct IncomeYear {
    /// January first.
    pub by_month: [Decimal; 12],
    pub average_month: Decimal,
    /// The three largest, ascending.
    pub biggest_months: Vec<i8>,
    /// Their share of the year, rounded to 3 decimals; 0.25 is perfectly even.
    pub biggest_months_share: Decimal,
    pub empty_months: Vec<i8>,
    /// Below average, smallest first.
    pub thin_months: Vec<i8>,
}

/// With fewer paying symbols the distribution is meaningless.
pub(crate) const SYMBOLS_MIN: usize = 5;

pub(crate) fn income_year(payers: &[Payer<'_>], net_annual: Decimal) -> Result<Option<IncomeYear>, Overflow> {
    if symbols(payers) < SYMBOLS_MIN {
        return Ok(None);
    }
    let by_month = by_month(payers)?;
    let average_month = div(net_annual, Decimal::from(12))?;
    let of = |month: i8| by_month[month as usize - 1];
    let biggest_months = biggest_months(of);
    Ok(Some(IncomeYear {
        by_month,
        average_month,
        biggest_months_share: share(biggest_months.iter().map(|month| of(*month)), net_annual)?,
        biggest_months,
        empty_months: MONTHS.filter(|month| of(*month).is_zero()).collect(),
        thin_months: thin_months(of, average_month),
    }))
}

/// Number of paying symbols, counted up to the minimum.
fn symbols(payers: &[Payer<'_>]) -> usize {
    let mut symbols: Vec<&str> = Vec::with_capacity(SYMBOLS_MIN);
    for symbol in payers.iter().map(|payer| payer.holding.symbol.as_str()) {
        if symbols.len() < SYMBOLS_MIN && !symbols.contains(&symbol) {
            symbols.push(symbol);
        }
    }
    symbols.len()
}

const MONTHS: std::ops::RangeInclusive<i8> = 1..=12;

fn by_month(payers: &[Payer<'_>]) -> Result<[Decimal; 12], Overflow> {
    let bit = |month: &i8| 1_u16 << (month - 1);
    // Summed by months first, because many payers have the same.
    let mut sums: Vec<(u16, Decimal)> = Vec::new();
    for payer in payers {
        let known =
            payer.holding.payment_months.iter().filter(|month| MONTHS.contains(month)).fold(0, |bits, month| bits | bit(month));
        match sums.iter_mut().find(|(bits, _)| *bits == known) {
            Some((_, sum)) => *sum = add(*sum, payer.net_income)?,
            None => sums.push((known, payer.net_income)),
        }
    }
    let mut by_month = [Decimal::ZERO; 12];
    for (known, sum) in sums {
        let part = carried(div(sum, Decimal::from(if known > 0 { known.count_ones() } else { 12 }))?);
        for month in MONTHS.filter(|month| known == 0 || known & bit(month) > 0) {
            let sum = &mut by_month[month as usize - 1];
            *sum = add(*sum, part)?;
        }
    }
    Ok(by_month)
}

fn biggest_months(of: impl Fn(i8) -> Decimal) -> Vec<i8> {
    let mut months: Vec<i8> = MONTHS.collect();
    months.sort_by_cached_key(|month| Reverse(comparable(of(*month))));
    months.truncate(3);
    months.sort_unstable();
    months
}

fn thin_months(of: impl Fn(i8) -> Decimal, average: Decimal) -> Vec<i8> {
    let mut months: Vec<i8> = MONTHS.filter(|month| comparable(of(*month)) < comparable(average)).collect();
    months.sort_by_cached_key(|month| comparable(of(*month)));
    months
}

/// Thirds and twelfths are not exact: three thirds differ from the whole by one unit of the last digit. Such months count as
/// equal.
fn comparable(figure: Decimal) -> Decimal {
    figure.round_dp(12)
}

fn share(mut parts: impl Iterator<Item = Decimal>, whole: Decimal) -> Result<Decimal, Overflow> {
    if whole.is_zero() {
        return Ok(Decimal::ZERO);
    }
    let part = parts.try_fold(Decimal::ZERO, add)?;
    Ok(div(part, whole)?.round_dp_with_strategy(3, RoundingStrategy::MidpointNearestEven))
}
