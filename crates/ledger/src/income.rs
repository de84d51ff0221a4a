//! Forward income of a set of positions, gross and net of estimated withholding, in one currency.

use std::collections::BTreeSet;

use jiff::civil::Date;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::holding::{Basis, Holding, Payer, Rates};
use crate::income_year::{IncomeYear, income_year};
use crate::likely::{Likely, likely};
use crate::money::{add, by_currency, mul};
use crate::number::Number;
use crate::projection::{Year, projection};
use crate::{Currency, Fx, Money, Overflow};

/// Figures in the preferred currency, with up to twenty decimals, not rounded unless noted.
#[derive(Clone, PartialEq, Debug)]
pub struct Income {
    pub annual: Decimal,
    pub net_annual: Decimal,
    /// Rounded to 2 decimals.
    pub current_yield_pct: Option<Decimal>,
    /// Weighted by income.
    pub growth_rate: Option<Decimal>,
    /// Positions with income, largest first.
    pub sources: Vec<Source>,
    /// By year, from now on.
    pub projection: Vec<Year>,
    pub income_year: Option<IncomeYear>,
    /// What will probably be paid in the coming year, gross; `None` with few payers.
    pub likely: Option<Likely>,
    /// Positions not included above because a currency has no rate; by symbol, each once.
    pub unconverted: Vec<(String, Currency)>,
    pub coverage: Coverage,
}

/// How many positions the figures know about.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Coverage {
    pub positions: usize,
    pub with_data: usize,
    /// Symbols without data, ascending, each once.
    pub without_data: Vec<String>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    pub symbol: String,
    pub portfolio: String,
    pub income: Decimal,
    pub net_income: Decimal,
    pub cagr_5y: Option<Decimal>,
    pub growth: Option<Decimal>,
    pub streak_years: Option<u32>,
    pub streak_at_least: bool,
    pub basis: Basis,
}

/// The income of the coming year at the rates of `today`, and its projection over `years` more.
pub fn income(
    holdings: &[Holding<'_>],
    preferred: Currency,
    fx: &Fx,
    today: Date,
    years: u32,
    drip: bool,
) -> Result<Income, Overflow> {
    let rates = Rates::of(holdings, preferred, fx, today);
    let mut unconverted = BTreeSet::new();
    let mut convertible = Vec::with_capacity(holdings.len());
    for holding in holdings {
        match rates.missing_for(holding) {
            Some(currency) => drop(unconverted.insert((holding.symbol.to_owned(), currency))),
            None => convertible.push(holding),
        }
    }
    let mut payers = convertible.iter().map(|holding| Payer::new(holding, &rates)).collect::<Result<Vec<_>, _>>()?;
    let current_yield_pct = current_yield_pct(&payers, &rates)?;
    payers.retain(|payer| payer.income > Decimal::ZERO);
    payers.sort_by(|a, b| b.income.cmp(&a.income).then_with(|| a.names().cmp(&b.names())));
    let annual = sum(payers.iter().map(|payer| payer.income))?;
    let net_annual = sum(payers.iter().map(|payer| payer.net_income))?;
    Ok(Income {
        annual,
        net_annual,
        current_yield_pct,
        growth_rate: growth_rate(&payers, annual)?,
        projection: projection(&payers, Year { income: annual, net_income: net_annual }, years, drip, preferred.minor_units())?,
        income_year: income_year(&payers, net_annual)?,
        likely: likely(&payers)?,
        sources: payers.into_iter().map(source).collect(),
        unconverted: unconverted.into_iter().collect(),
        coverage: coverage(holdings),
    })
}

/// Income ÷ market value of all positions with a price, whether they pay or not.
fn current_yield_pct(positions: &[Payer<'_>], rates: &Rates) -> Result<Option<Decimal>, Overflow> {
    let (mut income, mut values) = (Decimal::ZERO, Vec::with_capacity(positions.len()));
    for position in positions {
        let Some(price) = position.holding.price.filter(|price| *price > Decimal::ZERO) else { continue };
        income = add(income, position.income)?;
        values.push(Money::new(mul(position.holding.shares, price)?, position.holding.currency));
    }
    let value =
        by_currency(values)?.iter().try_fold(Decimal::ZERO, |value, sum| add(value, rates.convert(sum.amount, sum.currency)?))?;
    if value <= Decimal::ZERO {
        return Ok(None);
    }
    let percent = yield_pct(income, Decimal::ONE_HUNDRED, value).ok_or(Overflow)?;
    Ok(Some(percent.round_dp_with_strategy(2, RoundingStrategy::MidpointNearestEven)))
}

/// Income × 100 ÷ market value.
pub(crate) fn yield_pct<N: Number>(income: N, hundred: N, value: N) -> Option<N> {
    income.times(hundred)?.over(value)
}

fn growth_rate(payers: &[Payer<'_>], annual: Decimal) -> Result<Option<Decimal>, Overflow> {
    if payers.is_empty() {
        return Ok(None);
    }
    let growths = payers.iter().map(|payer| (payer.income, payer.holding.growth.unwrap_or_default()));
    weighted_mean(growths, annual).ok_or(Overflow).map(Some)
}

/// The sum of the products of weights and figures ÷ the sum of the weights.
pub(crate) fn weighted_mean<N: Number>(all: impl Iterator<Item = (N, N)>, weights: N) -> Option<N> {
    N::sum(all.map(|(weight, figure)| weight.times(figure)))?.over(weights)
}

fn source(payer: Payer<'_>) -> Source {
    let Payer { holding, income, net_income } = payer;
    Source {
        symbol: holding.symbol.to_owned(),
        portfolio: holding.portfolio.to_owned(),
        income,
        net_income,
        cagr_5y: holding.cagr_5y,
        growth: holding.growth,
        streak_years: holding.streak_years,
        streak_at_least: holding.streak_at_least,
        basis: holding.basis,
    }
}

fn coverage(holdings: &[Holding<'_>]) -> Coverage {
    let without = || holdings.iter().filter(|holding| !holding.has_data);
    let distinct: BTreeSet<&str> = without().map(|holding| holding.symbol).collect();
    Coverage {
        positions: holdings.len(),
        with_data: holdings.len() - without().count(),
        without_data: distinct.into_iter().map(str::to_owned).collect(),
    }
}

fn sum(mut figures: impl Iterator<Item = Decimal>) -> Result<Decimal, Overflow> {
    figures.try_fold(Decimal::ZERO, add)
}
