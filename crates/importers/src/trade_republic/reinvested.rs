//! Reinvestments: shares in one row, and a negative dividend in another, which is the money that paid for them.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Currency, Decimal};

use super::moves::{Move, instrument};
use crate::{Kind, Record};

/// A dividend is reinvested within this many days.
const WITHIN_DAYS: i32 = 7;

/// Negative dividends, by instrument and day: reversals, or the money that a reinvestment used.
pub struct UsedUp {
    below_zero: HashMap<String, BTreeMap<Date, Vec<Used>>>,
    taken: HashSet<u64>,
}

impl UsedUp {
    pub fn of(dividends: &[Record]) -> UsedUp {
        let mut below_zero: HashMap<String, BTreeMap<Date, Vec<Used>>> = HashMap::new();
        for dividend in dividends {
            let amount = dividend.amount.unwrap_or_default();
            if amount < Decimal::ZERO {
                let days = below_zero.entry(instrument(dividend).to_owned()).or_default();
                let used = Used { amount: -amount, currency: dividend.currency, line: dividend.line };
                days.entry(dividend.date).or_default().push(used);
            }
        }
        UsedUp { below_zero, taken: HashSet::new() }
    }

    /// A buy for the money that was used, if the file has it.
    pub fn reinvested(&mut self, moved: Move) -> Record {
        let comes = moved.shares.is_some_and(|shares| shares > Decimal::ZERO);
        let Some(used) = comes.then(|| self.near(moved.instrument(), moved.record.date)).flatten() else {
            return moved.into_transfer();
        };
        self.taken.insert(used.line);
        Record {
            kind: Kind::Buy,
            shares: moved.shares,
            price: None,
            amount: Some(used.amount),
            currency: used.currency,
            joined: vec![used.line],
            note: Some(moved.word),
            ..moved.record
        }
    }

    fn near(&mut self, instrument: &str, day: Date) -> Option<Used> {
        let days = self.below_zero.get_mut(instrument)?;
        let near = day.saturating_sub(WITHIN_DAYS.days())..=day.saturating_add(WITHIN_DAYS.days());
        let found = days.range_mut(near).find_map(|(day, rows)| Some((*day, rows.pop()?, rows.is_empty())));
        let (day, row, emptied) = found?;
        if emptied {
            days.remove(&day);
        }
        Some(row)
    }

    pub fn left(self, dividends: Vec<Record>) -> impl Iterator<Item = Record> {
        dividends.into_iter().filter(move |dividend| !self.taken.contains(&dividend.line))
    }
}

struct Used {
    amount: Decimal,
    currency: Option<Currency>,
    line: u64,
}
