//! How a typical year's net income is spread over the months.

use std::cmp::Reverse;

use rust_decimal::Decimal;

use crate::Overflow;
use crate::holding::Payer;
use crate::money::div;
use crate::number::Number;

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
        biggest_months_share: match net_annual.is_zero() {
            true => Decimal::ZERO,
            false => share(biggest_months.iter().map(|month| Some(of(*month))), net_annual).ok_or(Overflow)?,
        },
        biggest_months,
        empty_months: MONTHS.filter(|month| of(*month).is_zero()).collect(),
        thin_months: thin_months(of, average_month),
    }))
}

/// Number of paying symbols, counted up to the minimum.
fn symbols(payers: &[Payer<'_>]) -> usize {
    let mut symbols: Vec<&str> = Vec::with_capacity(SYMBOLS_MIN);
    for symbol in payers.iter().map(|payer| payer.holding.symbol) {
        if symbols.len() < SYMBOLS_MIN && !symbols.contains(&symbol) {
            symbols.push(symbol);
        }
    }
    symbols.len()
}

const MONTHS: std::ops::RangeInclusive<i8> = 1..=12;

/// Months as bits, January the lowest; zero if they are unknown.
pub(crate) fn month_bits(months: &[i8]) -> u16 {
    months.iter().filter(|month| MONTHS.contains(month)).fold(0, |bits, month| bits | bit(*month))
}

fn bit(month: i8) -> u16 {
    1 << (month - 1)
}

/// How many months a payer's income is spread over.
pub(crate) fn month_count(bits: u16) -> u32 {
    if bits > 0 { bits.count_ones() } else { 12 }
}

/// What all payers with the same months pay in each of these. Summed by months first, because many payers have the same.
pub(crate) fn parts<N: Number + Clone>(payers: &[(u16, N)]) -> Option<Vec<(u16, N)>> {
    let mut parts: Vec<(u16, N)> = Vec::new();
    for (months, _) in payers {
        if !parts.iter().any(|(known, _)| known == months) {
            let same = payers.iter().filter(|(known, _)| known == months);
            let sum = N::sum(same.map(|(_, net)| Some(net.clone())))?.called("net_income");
            parts.push((*months, sum.over(N::constant(Decimal::from(month_count(*months))))?.carried()));
        }
    }
    Some(parts)
}

pub(crate) fn of_month<N: Number + Clone>(parts: &[(u16, N)], month: i8) -> Option<N> {
    let pays = |months: u16| months == 0 || months & bit(month) > 0;
    N::sum(parts.iter().filter(|(months, _)| pays(*months)).map(|(_, part)| Some(part.clone())))
}

fn by_month(payers: &[Payer<'_>]) -> Result<[Decimal; 12], Overflow> {
    let nets: Vec<_> = payers.iter().map(|payer| (month_bits(payer.holding.payment_months), payer.net_income)).collect();
    let parts = parts(&nets).ok_or(Overflow)?;
    let mut by_month = [Decimal::ZERO; 12];
    for (sum, month) in by_month.iter_mut().zip(MONTHS) {
        *sum = of_month(&parts, month).ok_or(Overflow)?;
    }
    Ok(by_month)
}

/// Ascending.
pub(crate) fn biggest_months(of: impl Fn(i8) -> Decimal) -> Vec<i8> {
    let mut months: Vec<i8> = MONTHS.collect();
    months.sort_by_cached_key(|month| Reverse(comparable(of(*month))));
    months.truncate(3);
    months.sort_unstable();
    months
}

fn thin_months(of: impl Fn(i8) -> Decimal, average: Decimal) -> Vec<i8> {
    let average = comparable(average);
    let figures = MONTHS.map(|month| (comparable(of(month)), month));
    let mut months: Vec<(Decimal, i8)> = figures.filter(|(figure, _)| *figure < average).collect();
    months.sort_unstable();
    months.into_iter().map(|(_, month)| month).collect()
}

/// Thirds and twelfths are not exact: three thirds differ from the whole by one unit of the last digit. Such months count as
/// equal.
fn comparable(figure: Decimal) -> Decimal {
    figure.round_dp(12)
}

/// The months' part of the year, rounded to 3 decimals.
pub(crate) fn share<N: Number>(months: impl Iterator<Item = Option<N>>, year: N) -> Option<N> {
    Some(N::sum(months)?.over(year)?.half_even(3))
}
