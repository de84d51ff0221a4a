//! Random portfolios on past days: whether what they were paid in a year was in the range that was likely on that day.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::walk::YearAhead;
use crate::likely::of_incomes;

/// How many payers a portfolio has.
pub const PAYERS: RangeInclusive<usize> = 10..=40;

/// On days with fewer payers, portfolios would be too similar.
const ACTIVE_MIN: usize = 20;

/// A payer's income, before portfolios are compared with their outcome: the largest is five times the smallest.
const INCOMES: RangeInclusive<usize> = 20..=100;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Below,
    Inside,
    Above,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Portfolio {
    pub day: Date,
    pub payers: usize,
    /// Of the outcome, as seen from the range.
    pub place: Place,
}

/// Always the same for the same years. Empty if there is no day with enough payers.
pub fn portfolios<'a>(years: impl IntoIterator<Item = &'a YearAhead>, count: usize) -> Vec<Portfolio> {
    let mut by_day: BTreeMap<Date, Vec<&YearAhead>> = BTreeMap::new();
    for year in years {
        by_day.entry(year.day).or_default().push(year);
    }
    let mut days: Vec<(Date, Vec<&YearAhead>)> = by_day.into_iter().filter(|(_, payers)| payers.len() >= ACTIVE_MIN).collect();
    let mut random = Random(1);
    let mut one = || {
        let (day, active) = random.choice(&mut days)?;
        let payers = random.between(&(*PAYERS.start()..=active.len().min(*PAYERS.end())));
        random.shuffle_first(active, payers);
        let incomes = active[..payers].iter().map(|year| (*year, Decimal::from(random.between(&INCOMES)))).collect::<Vec<_>>();
        Some(Portfolio { day: *day, payers, place: place(&incomes)? })
    };
    (0..count).filter_map(|_| one()).collect()
}

/// `None` beyond the range of a decimal.
fn place(incomes: &[(&YearAhead, Decimal)]) -> Option<Place> {
    let likely = of_incomes(incomes.iter().map(|(year, income)| (year.kind, *income))).ok()?;
    let paid = |(year, income): &(&YearAhead, Decimal)| income.checked_mul(year.paid)?.checked_div(year.forward_rate);
    let outcome = incomes.iter().map(paid).try_fold(Decimal::ZERO, |sum, paid| sum.checked_add(paid?))?;
    Some(match outcome {
        _ if outcome < likely.low => Place::Below,
        _ if outcome > likely.high => Place::Above,
        _ => Place::Inside,
    })
}

/// SplitMix64: short, and good enough to choose portfolios.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn between(&mut self, range: &RangeInclusive<usize>) -> usize {
        let count = (range.end() - range.start() + 1) as u128;
        range.start() + ((u128::from(self.next()) * count) >> 64) as usize
    }

    fn choice<'a, T>(&mut self, of: &'a mut [T]) -> Option<&'a mut T> {
        let last = of.len().checked_sub(1)?;
        of.get_mut(self.between(&(0..=last)))
    }

    /// Moves as many random ones to the front.
    fn shuffle_first<T>(&mut self, of: &mut [T], count: usize) {
        for at in 0..count {
            let other = self.between(&(at..=of.len() - 1));
            of.swap(at, other);
        }
    }
}
