//! Three scores from 0 to 10, each the mean of the parts with data.

use rust_decimal::Decimal;

use crate::Safety;
use crate::number::Number;

/// One decimal each; `None` without data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scores {
    pub value: Option<Decimal>,
    pub momentum: Option<Decimal>,
    pub rating: Option<Decimal>,
}

/// Input of the scores; all exact.
#[derive(Clone)]
pub(crate) struct Parts<N> {
    /// [`safety_points`] of the rating.
    pub safety: Option<N>,
    pub cagr_5y: Option<N>,
    pub streak_years: Option<N>,
    pub yield_fraction: Option<N>,
    /// Yield ÷ its five-year average.
    pub relative_yield: Option<N>,
    pub pe: Option<N>,
    pub price: Option<N>,
    pub low52: Option<N>,
    pub high52: Option<N>,
    pub ma50: Option<N>,
    pub ma200: Option<N>,
}

impl Scores {
    pub(crate) fn of(parts: Parts<Decimal>) -> Scores {
        Scores { value: value(parts.clone()), momentum: momentum(parts.clone()), rating: rating(parts) }
    }
}

pub(crate) fn value<N: Number>(parts: Parts<N>) -> Option<N> {
    let cheap = positive(parts.pe).and_then(|pe| Some(N::constant(Decimal::new(30, 0)).less(pe)?.called("below_pe")));
    mean([
        points_of(parts.relative_yield, [Decimal::new(7, 1), Decimal::new(13, 1)], "points_relative_yield"),
        points_of(cheap, [Decimal::ZERO, Decimal::new(20, 0)], "points_pe"),
    ])
}

pub(crate) fn momentum<N: Number + Clone>(parts: Parts<N>) -> Option<N> {
    let price = positive(parts.price);
    let over_ma200 = |figure: Option<N>| Some(figure?.over(positive(parts.ma200.clone())?)?.called("over_ma200"));
    let ends = parts.low52.zip(parts.high52);
    let place = ends.zip(price.clone()).and_then(|((low, high), price)| Some(price.points(low, high)?.called("points_range")));
    mean([
        place,
        points_of(over_ma200(price), [Decimal::new(9, 1), Decimal::new(11, 1)], "points_price"),
        points_of(over_ma200(positive(parts.ma50)), [Decimal::new(95, 2), Decimal::new(105, 2)], "points_trend"),
    ])
}

pub(crate) fn rating<N: Number>(parts: Parts<N>) -> Option<N> {
    let known = [
        parts.safety,
        points_of(parts.cagr_5y, [Decimal::ZERO, Decimal::new(10, 2)], "points_growth"),
        points_of(parts.streak_years, [Decimal::ZERO, Decimal::TEN], "points_streak"),
        points_of(parts.yield_fraction, [Decimal::ZERO, Decimal::new(5, 2)], "points_yield"),
    ];
    if known.iter().flatten().count() < 2 { None } else { mean(known) }
}

pub(crate) fn safety_points(safety: Safety) -> Option<Decimal> {
    match safety {
        Safety::Safe => Some(Decimal::TEN),
        Safety::Watch => Some(Decimal::new(5, 0)),
        Safety::AtRisk => Some(Decimal::ZERO),
        Safety::Unknown => None,
    }
}

fn points_of<N: Number>(figure: Option<N>, [from, to]: [Decimal; 2], name: &'static str) -> Option<N> {
    Some(figure?.points(N::constant(from).called("points_from"), N::constant(to).called("points_to"))?.called(name))
}

fn mean<N: Number>(parts: impl IntoIterator<Item = Option<N>>) -> Option<N> {
    let known: Vec<N> = parts.into_iter().flatten().collect();
    let count = N::constant(Decimal::from(known.len()));
    Some(N::sum(known.into_iter().map(Some))?.over(count)?.half_even(1))
}

fn positive<N: Number>(figure: Option<N>) -> Option<N> {
    figure.filter(N::is_positive)
}
