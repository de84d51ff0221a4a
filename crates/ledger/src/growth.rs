//! Yearly totals and their growth.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::history::{History, Payment};
use crate::root::nth_root;

/// The regular dividends of one year, by payment date, split-adjusted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct YearPaid {
    pub year: i16,
    pub payments: usize,
    /// For a complete year, the total that growth and streak use; otherwise the known total, including declared payments.
    pub total: Decimal,
    /// The year is over, and nothing is missing at its start.
    pub complete: bool,
    /// Whether `total` is the mean × payments per year, because the year had another number of payments.
    pub repaired: bool,
}

/// Regular dividends of each complete year, by payment date, oldest first. The last one is the previous year.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct YearlyTotals {
    pub complete: Vec<Decimal>,
    /// The same including incomplete years, oldest first.
    pub years: Vec<YearPaid>,
}

impl YearlyTotals {
    pub fn of(history: &History, payments_per_year: Option<usize>, today: Date) -> YearlyTotals {
        let pay_years = || history.regular().map(|payment| payment.pay_date.year());
        let (Some(first), Some(last)) = (pay_years().min(), pay_years().max()) else {
            return YearlyTotals { complete: Vec::new(), years: Vec::new() };
        };
        let paid_in = |year| history.regular().filter(move |payment| payment.pay_date.year() == year);
        // A history rarely starts in January: its first year only counts if nothing is missing.
        let first_is_whole = payments_per_year.is_some_and(|whole| paid_in(first).count() >= whole);
        let from = if first_is_whole { first } else { first.saturating_add(1) };
        let paid = |year| year_paid(paid_in(year), year, (from..today.year()).contains(&year), payments_per_year);
        let years: Vec<YearPaid> = (first..=last.max(today.year() - 1)).map(paid).collect::<Option<_>>().unwrap_or_default();
        let complete = years.iter().filter(|year| year.complete).map(|year| year.total).collect();
        YearlyTotals { complete, years }
    }

    /// Consecutive years, up to the last complete one, that each paid more than the previous year.
    pub fn streak_years(&self) -> Option<u32> {
        (self.complete.len() >= 2).then(|| streak(&self.complete))
    }

    /// The streak a year earlier.
    pub fn streak_before_last(&self) -> u32 {
        self.complete.split_last().map_or(0, |(_, earlier)| streak(earlier))
    }

    pub fn cagr_5y(&self) -> Option<Decimal> {
        self.cagr(5)
    }

    /// The five-year growth or the longest shorter one available, clamped for the projection.
    pub fn growth(&self) -> Option<Decimal> {
        let growth = (1..=5).rev().find_map(|years| self.cagr(years))?;
        Some(growth.clamp(Decimal::new(-10, 2), Decimal::new(15, 2)))
    }

    fn cagr(&self, years: u32) -> Option<Decimal> {
        let (last, earlier) = self.complete.split_last()?;
        let start = earlier.iter().rev().nth(years as usize - 1)?;
        // Growth from or to zero is undefined: neither the quotient nor the root exists.
        nth_root(last.checked_div(*start)?, years)?.checked_sub(Decimal::ONE)
    }
}

/// Corrects a payment that slipped into another year: the year's mean times the payments per year.
fn year_paid<'a>(
    payments: impl Iterator<Item = &'a Payment>,
    year: i16,
    complete: bool,
    payments_per_year: Option<usize>,
) -> Option<YearPaid> {
    let amounts: Vec<Decimal> = payments.map(|payment| payment.amount).collect();
    let sum = amounts.iter().try_fold(Decimal::ZERO, |sum, amount| sum.checked_add(*amount))?;
    let whole = payments_per_year.filter(|whole| complete && amounts.len() != *whole && !amounts.is_empty());
    let total = match whole {
        Some(whole) => sum.checked_mul(Decimal::from(whole))?.checked_div(Decimal::from(amounts.len()))?,
        None => sum,
    };
    Some(YearPaid { year, payments: amounts.len(), total, complete, repaired: whole.is_some() })
}

fn streak(totals: &[Decimal]) -> u32 {
    totals.windows(2).rev().take_while(|pair| pair[1] > pair[0]).count() as u32
}
