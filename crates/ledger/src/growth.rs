//! Yearly totals, and how they grew.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::history::{History, Payment};
use crate::root::nth_root;

/// Regular dividends of each complete year, by pay date, oldest first. The last one is the year before the current.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct YearlyTotals {
    pub complete: Vec<Decimal>,
}

impl YearlyTotals {
    pub fn of(history: &History, payments_per_year: Option<usize>, today: Date) -> YearlyTotals {
        let first = history.regular().map(|payment| payment.pay_date.year()).min().unwrap_or(today.year());
        let paid_in = |year| history.regular().filter(move |payment| payment.pay_date.year() == year);
        // A history rarely begins in January: its first year counts only when nothing of it is missing.
        let first_is_whole = payments_per_year.is_some_and(|whole| paid_in(first).count() >= whole);
        let from = if first_is_whole { first } else { first.saturating_add(1) };
        let totals = (from..today.year()).map(|year| total(paid_in(year), payments_per_year)).collect::<Option<_>>();
        YearlyTotals { complete: totals.unwrap_or_default() }
    }

    /// Years in a row, up to the last complete one, that each paid more than the year before.
    pub fn streak_years(&self) -> Option<u32> {
        (self.complete.len() >= 2).then(|| streak(&self.complete))
    }

    /// The streak as it stood a year earlier.
    pub fn streak_before_last(&self) -> u32 {
        self.complete.split_last().map_or(0, |(_, earlier)| streak(earlier))
    }

    pub fn cagr_5y(&self) -> Option<Decimal> {
        self.cagr(5)
    }

    /// The five-year growth or the longest shorter one that is defined, held within what a projection can bear.
    pub fn growth(&self) -> Option<Decimal> {
        let growth = (1..=5).rev().find_map(|years| self.cagr(years))?;
        Some(growth.clamp(Decimal::new(-10, 2), Decimal::new(15, 2)))
    }

    fn cagr(&self, years: u32) -> Option<Decimal> {
        let (last, earlier) = self.complete.split_last()?;
        let start = earlier.iter().rev().nth(years as usize - 1)?;
        // Nothing grows from zero, nor to it: neither the quotient nor the root exists then.
        nth_root(last.checked_div(*start)?, years)?.checked_sub(Decimal::ONE)
    }
}

/// A payment that slipped over new year is repaired: the year's mean, as many times as the stock pays.
fn total<'a>(payments: impl Iterator<Item = &'a Payment>, payments_per_year: Option<usize>) -> Option<Decimal> {
    let amounts: Vec<Decimal> = payments.map(|payment| payment.amount).collect();
    let sum = amounts.iter().try_fold(Decimal::ZERO, |sum, amount| sum.checked_add(*amount))?;
    match payments_per_year {
        Some(whole) if amounts.len() != whole && !amounts.is_empty() => {
            sum.checked_mul(Decimal::from(whole))?.checked_div(Decimal::from(amounts.len()))
        }
        _ => Some(sum),
    }
}

fn streak(totals: &[Decimal]) -> u32 {
    totals.windows(2).rev().take_while(|pair| pair[1] > pair[0]).count() as u32
}
