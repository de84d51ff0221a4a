//! The same figures computed independently: plain sums by ex-date, without corrections and pay dates.

use std::collections::BTreeMap;

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Decimal, Frequency, History};

/// Regular payments, per share of today, one for each ex-date, oldest first.
pub struct Plain(Vec<(Date, Decimal)>);

impl Plain {
    pub fn of(history: &History) -> Plain {
        Plain(history.regular().map(|payment| (payment.ex_date, payment.amount)).collect())
    }

    pub fn first_and_last(&self) -> (Date, Date) {
        (self.0[0].0, self.0[self.0.len() - 1].0)
    }

    /// Payments a year, 365.25 ÷ the mean gap of the last five years, to the nearest class by ratio: the borders are the
    /// geometric means of 52, 12, 4, 2 and 1, and 0.7 below.
    pub fn frequency(&self) -> Option<Frequency> {
        let (_, last) = self.first_and_last();
        let since = last.saturating_sub(5.years());
        let recent: Vec<Date> = self.0.iter().map(|(ex_date, _)| *ex_date).filter(|ex_date| *ex_date >= since).collect();
        let gaps = Decimal::from(recent.len() - 1);
        let days = Decimal::from(recent[0].until(last).unwrap().get_days());
        let per_year = (Decimal::new(36525, 2) * gaps).checked_div(days)?;
        let borders = [
            (Decimal::new(2498, 2), Frequency::Weekly),
            (Decimal::new(693, 2), Frequency::Monthly),
            (Decimal::new(283, 2), Frequency::Quarterly),
            (Decimal::new(141, 2), Frequency::SemiAnnual),
            (Decimal::new(70, 2), Frequency::Annual),
        ];
        borders.into_iter().find(|(least, _)| per_year >= *least).map(|(_, frequency)| frequency)
    }

    /// What the twelve months up to the last ex-date paid, less a fortnight: the payment of a year before is often some
    /// days later in its year, and would count twice.
    pub fn trailing_year(&self) -> Decimal {
        let since = self.first_and_last().1.saturating_sub(350.days());
        self.0.iter().filter(|(ex_date, _)| *ex_date > since).map(|(_, amount)| amount).sum()
    }

    /// Sums by ex-date of the years before this one, oldest first, years without a payment as zero. The first year of the
    /// history is there only if it has as many payments as the second.
    pub fn yearly_sums(&self, today: Date) -> Vec<Decimal> {
        let mut sums: BTreeMap<i16, (usize, Decimal)> = BTreeMap::new();
        for (ex_date, amount) in &self.0 {
            let (count, sum) = sums.entry(ex_date.year()).or_default();
            *count += 1;
            *sum += amount;
        }
        let in_year = |year| sums.get(&year).copied().unwrap_or_default();
        let first = self.first_and_last().0.year();
        let from = if in_year(first).0 >= in_year(first + 1).0 { first } else { first + 1 };
        (from..today.year()).map(|year| in_year(year).1).collect()
    }

    pub fn streak(&self, today: Date) -> Option<u32> {
        let sums = self.yearly_sums(today);
        let mut years = 0;
        while sums.len() >= years + 2 && sums[sums.len() - 1 - years] > sums[sums.len() - 2 - years] {
            years += 1;
        }
        (sums.len() >= 2).then_some(years as u32)
    }

    pub fn growth_5y(&self, today: Date) -> Option<Decimal> {
        let sums = self.yearly_sums(today);
        let (last, start) = (*sums.last()?, *sums.iter().rev().nth(5)?);
        (last > Decimal::ZERO && start > Decimal::ZERO).then(|| growth(start, last))
    }
}

/// The growth that five years in a row lead from `start` to `last`, by halving an interval: no root is taken.
fn growth(start: Decimal, last: Decimal) -> Decimal {
    let (mut low, mut high) = (Decimal::ZERO, Decimal::from(10));
    for _ in 0..40 {
        let middle = ((low + high) / Decimal::TWO).round_dp(12);
        let reached = (0..5).fold(start, |amount, _| amount * middle);
        if reached > last { high = middle } else { low = middle }
    }
    low - Decimal::ONE
}
