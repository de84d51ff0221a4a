//! Many outcomes in a few figures.

use rust_decimal::Decimal;

use super::portfolios::{Place, Portfolio};
use super::walk::{ExDate, YearAhead};

/// How many estimated ex-dates were near.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Within {
    pub payments: usize,
    pub one_day: usize,
    pub three_days: usize,
    pub seven_days: usize,
}

impl Within {
    pub fn of<'a>(ex_dates: impl IntoIterator<Item = &'a ExDate>) -> Within {
        let mut within = Within::default();
        for off in ex_dates.into_iter().map(ExDate::days_off) {
            within.payments += 1;
            within.one_day += usize::from(off <= 1);
            within.three_days += usize::from(off <= 3);
            within.seven_days += usize::from(off <= 7);
        }
        within
    }
}

/// How far forward rates were from what was paid.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RateErrors {
    pub months: usize,
    /// Months after which nothing was paid for a year.
    pub stopped: usize,
    /// As a fraction of what was paid; `None` if it is infinite, or without any months.
    pub median: Option<Decimal>,
    /// The 75th percentile.
    pub third_quartile: Option<Decimal>,
}

impl RateErrors {
    pub fn of<'a>(years: impl IntoIterator<Item = &'a YearAhead>) -> RateErrors {
        let (mut errors, mut stopped) = (Vec::new(), 0);
        for year in years {
            match year.error() {
                Some(error) => errors.push(error),
                None => stopped += 1,
            }
        }
        errors.sort_unstable();
        let months = errors.len() + stopped;
        // The smallest error that as many are not above. Stops come last.
        let percentile = |percent: usize| errors.get((months * percent).div_ceil(100).checked_sub(1)?).copied();
        RateErrors { months, stopped, median: percentile(50), third_quartile: percentile(75) }
    }
}

/// Where the outcomes of portfolios were.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Places {
    pub portfolios: usize,
    pub below: usize,
    pub inside: usize,
    pub above: usize,
}

impl Places {
    pub fn of<'a>(portfolios: impl IntoIterator<Item = &'a Portfolio>) -> Places {
        let mut places = Places::default();
        for portfolio in portfolios {
            places.portfolios += 1;
            match portfolio.place {
                Place::Below => places.below += 1,
                Place::Inside => places.inside += 1,
                Place::Above => places.above += 1,
            }
        }
        places
    }
}
