//! Dividend years: their totals, growth and streak.

use jiff::ToSpan;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::dates::days_between;
use crate::history::{History, Payment};
use crate::root::nth_root;

/// The regular dividends of one dividend year, adjusted for splits, in the currency of the history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct YearPaid {
    pub year: i16,
    pub payments: usize,
    /// Includes declared payments.
    pub total: Decimal,
    /// The year is over, and nothing is missing at its start.
    pub complete: bool,
    /// The number of payments changed in this year, so it is not compared with others.
    pub changed: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct YearlyTotals {
    /// From the first year with a payment to the last one, at least to the previous year; oldest first.
    pub years: Vec<YearPaid>,
    /// Those that are compared: complete, and without a change of rhythm.
    pub compared: Vec<YearPaid>,
}

impl YearlyTotals {
    pub fn of(history: &History, today: Date) -> YearlyTotals {
        let years = years(history, today).unwrap_or_default();
        let compared = years.iter().filter(|year| year.complete && !year.changed).copied().collect();
        YearlyTotals { years, compared }
    }

    /// Complete years, with or without a change of rhythm.
    pub fn complete(&self) -> usize {
        self.years.iter().filter(|year| year.complete).count()
    }

    /// Consecutive years, up to the last complete one, that each paid more than the previous year.
    pub fn streak_years(&self) -> Option<u32> {
        (self.compared.len() >= 2).then(|| streak(&self.compared))
    }

    /// Whether the streak reaches the first year that is known, so that it may be longer.
    pub fn streak_at_least(&self) -> bool {
        self.streak_years().is_some_and(|years| years as usize + 1 == self.compared.len())
    }

    /// The streak a year earlier.
    pub fn streak_before_last(&self) -> u32 {
        self.compared.split_last().map_or(0, |(_, earlier)| streak(earlier))
    }

    pub fn cagr_5y(&self) -> Option<Decimal> {
        self.cagr(5)
    }

    /// The five-year growth or the longest shorter one available, clamped for the projection.
    pub fn growth(&self) -> Option<Decimal> {
        Some(self.longest_growth()?.rate.clamp(GROWTH_MIN, GROWTH_MAX))
    }

    /// Over five years, or the longest shorter time available.
    pub fn longest_growth(&self) -> Option<Growth> {
        (1..=5).rev().find_map(|years| self.over(years))
    }

    fn cagr(&self, years: u32) -> Option<Decimal> {
        Some(self.over(years)?.rate)
    }

    pub fn over(&self, years: u32) -> Option<Growth> {
        let last = *self.compared.last()?;
        let first = *self.compared.iter().find(|year| i64::from(year.year) + i64::from(years) == i64::from(last.year))?;
        Some(Growth { first, last, years, rate: growth_per_year(last.total, first.total, years)? })
    }
}

/// The growth from one year's total to another's.
pub(crate) struct Growth {
    pub first: YearPaid,
    pub last: YearPaid,
    pub years: u32,
    pub rate: Decimal,
}

pub(crate) const GROWTH_MIN: Decimal = Decimal::from_parts(10, 0, 0, true, 2);
pub(crate) const GROWTH_MAX: Decimal = Decimal::from_parts(15, 0, 0, false, 2);

/// Growth from or to zero is undefined: neither the quotient nor the root exists.
pub(crate) fn growth_per_year(last: Decimal, first: Decimal, years: u32) -> Option<Decimal> {
    nth_root(last.checked_div(first)?, years)?.checked_sub(Decimal::ONE)
}

fn years(history: &History, today: Date) -> Option<Vec<YearPaid>> {
    let payments: Vec<&Payment> = history.regular().collect();
    let of_payment = dividend_years(&payments);
    let (first, last) = (*of_payment.iter().min()?, *of_payment.iter().max()?);
    let mut years: Vec<YearPaid> = Vec::new();
    for year in first..=last.max(today.year() - 1) {
        let amounts = || payments.iter().zip(&of_payment).filter(|(_, of)| **of == year).map(|(payment, _)| payment.amount);
        let total = amounts().try_fold(Decimal::ZERO, |sum, amount| sum.checked_add(amount))?;
        let complete = year < today.year();
        years.push(YearPaid { year, payments: amounts().count(), total, complete, changed: false });
    }
    // A history rarely starts in January.
    let missing = years.windows(2).take_while(|pair| pair[0].payments < pair[1].payments).count();
    years.iter_mut().take(missing).for_each(|year| year.complete = false);
    let changed: Vec<i16> = years
        .windows(3)
        // A year without payments is an omission, not another rhythm.
        .filter(|near| near.iter().all(|year| year.complete && year.payments > 0))
        .filter(|near| differ([near[0].payments, near[1].payments, near[2].payments]))
        .map(|near| near[1].year)
        .collect();
    years.iter_mut().for_each(|year| year.changed = changed.contains(&year.year));
    Some(years)
}

fn differ([before, this, after]: [usize; 3]) -> bool {
    this != before && this != after && before != after
}

/// The dividend year of each payment, given by ex-date: its calendar year, but a payment near New Year follows the one a year
/// earlier, so that one that slips over New Year stays in its year.
pub(crate) fn dividend_years(payments: &[&Payment]) -> Vec<i16> {
    let mut years: Vec<i16> = Vec::with_capacity(payments.len());
    for (at, payment) in payments.iter().enumerate() {
        let own = payment.ex_date.year();
        let followed = near_new_year(payment.ex_date).then(|| a_year_before(&payments[..at], payment.ex_date)).flatten();
        years.push(followed.map_or(own, |before| years[before].saturating_add(1)));
    }
    years
}

const NEAR_NEW_YEAR_DAYS: i64 = 31;
pub(crate) const YEAR_OFF_DAYS_MAX: i64 = 20;

fn near_new_year(date: Date) -> bool {
    let first = date.first_of_year();
    let from_first = days_between(first, date);
    let to_next = days_between(date, first.saturating_add(1.year()));
    from_first.min(to_next) <= NEAR_NEW_YEAR_DAYS
}

/// The payment whose ex-date is nearest to one year before, at most 20 days off.
pub(crate) fn a_year_before(earlier: &[&Payment], ex_date: Date) -> Option<usize> {
    let year_before = ex_date.saturating_sub(1.year());
    let off = |payment: &Payment| days_between(year_before, payment.ex_date).abs();
    let near = earlier.iter().enumerate().filter(|(_, payment)| off(payment) <= YEAR_OFF_DAYS_MAX);
    near.min_by_key(|(_, payment)| off(payment)).map(|(at, _)| at)
}

pub(crate) fn streak(totals: &[YearPaid]) -> u32 {
    totals.windows(2).rev().take_while(|pair| pair[1].total > pair[0].total).count() as u32
}
