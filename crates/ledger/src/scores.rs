//! Three scores from 0 to 10, each the mean of the parts with data.

use rust_decimal::Decimal;

use crate::{Facts, Safety};

/// One decimal each; `None` without data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scores {
    pub value: Option<Decimal>,
    pub momentum: Option<Decimal>,
    pub rating: Option<Decimal>,
}

/// Input of the scores besides the market data; all exact.
pub(crate) struct Parts {
    pub safety: Safety,
    pub cagr_5y: Option<Decimal>,
    pub streak_years: Option<u32>,
    pub yield_fraction: Option<Decimal>,
    /// Yield ÷ its five-year average.
    pub relative_yield: Option<Decimal>,
}

impl Scores {
    pub(crate) fn of(facts: &Facts, parts: &Parts) -> Scores {
        Scores { value: value(facts, parts), momentum: momentum(facts), rating: rating(parts) }
    }
}

fn value(facts: &Facts, parts: &Parts) -> Option<Decimal> {
    let cheap = positive(facts.pe).and_then(|pe| Decimal::new(30, 0).checked_sub(pe));
    mean(&[
        points(parts.relative_yield, Decimal::new(7, 1), Decimal::new(6, 1)),
        points(cheap, Decimal::ZERO, Decimal::new(20, 0)),
    ])
}

fn momentum(facts: &Facts) -> Option<Decimal> {
    let price = positive(facts.price);
    let over_ma200 = |figure: Option<Decimal>| figure?.checked_div(positive(facts.ma200)?);
    let place = facts.low52.zip(facts.high52).and_then(|(low, high)| points(price, low, high.checked_sub(low)?));
    mean(&[
        place,
        points(over_ma200(price), Decimal::new(9, 1), Decimal::new(2, 1)),
        points(over_ma200(positive(facts.ma50)), Decimal::new(95, 2), Decimal::new(1, 1)),
    ])
}

fn rating(parts: &Parts) -> Option<Decimal> {
    let safety = match parts.safety {
        Safety::Safe => Some(Decimal::TEN),
        Safety::Watch => Some(Decimal::new(5, 0)),
        Safety::AtRisk => Some(Decimal::ZERO),
        Safety::Unknown => None,
    };
    let known = [
        safety,
        points(parts.cagr_5y, Decimal::ZERO, Decimal::new(10, 2)),
        points(parts.streak_years.map(Decimal::from), Decimal::ZERO, Decimal::TEN),
        points(parts.yield_fraction, Decimal::ZERO, Decimal::new(5, 2)),
    ];
    mean(&known).filter(|_| known.iter().flatten().count() >= 2)
}

/// 0 at `from` and below, 10 at `from + width` and above; `None` if the width is zero.
fn points(figure: Option<Decimal>, from: Decimal, width: Decimal) -> Option<Decimal> {
    let place = figure?.checked_sub(from)?.checked_div(positive(Some(width))?)?;
    place.clamp(Decimal::ZERO, Decimal::ONE).checked_mul(Decimal::TEN)
}

fn mean(parts: &[Option<Decimal>]) -> Option<Decimal> {
    let known: Vec<Decimal> = parts.iter().flatten().copied().collect();
    let sum = known.iter().try_fold(Decimal::ZERO, |sum, part| sum.checked_add(*part))?;
    Some(sum.checked_div(Decimal::from(known.len()))?.round_dp(1))
}

fn positive(figure: Option<Decimal>) -> Option<Decimal> {
    figure.filter(|figure| *figure > Decimal::ZERO)
}
