//! Position snapshots: the result of replaying a lot, stored with what it depends on besides the entries. If that has changed,
//! the entries are replayed again.

mod dividends;
mod encoding;
mod refresh;

use std::collections::BTreeSet;

use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Currency, Entry, Event, Fx, Position};

use crate::book::lots::Lot;
use crate::market::traded::Traded;
pub use dividends::{Dividends, Paid, Sum};
pub(crate) use refresh::*;

#[derive(Clone, Debug, PartialEq)]
pub struct PositionSnapshot {
    /// Date and sequence of the earliest entry.
    pub first: (Date, i64),
    pub isin: Option<String>,
    pub name: Option<String>,
    pub position: Option<Position>,
    /// Whether shares were held at the end of the day, according to entries and splits alone.
    pub held: bool,
    /// Of the last 24 months.
    pub dividends: Dividends,
    pub basis: Basis,
}

/// What a snapshot was computed from besides the entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Basis {
    pub day: Date,
    /// The first later day on which an entry or a market split takes effect.
    pub changes: Option<Date>,
    /// The trading currency, if market data has it.
    pub currency: Option<Currency>,
    /// The fingerprint of the market's splits.
    pub splits: u64,
    /// Set if exchange rates were used.
    pub rates: Option<RatesUsed>,
}

/// The exchange rates a replay uses, and a fingerprint of their values.
#[derive(Clone, Debug, PartialEq)]
pub struct RatesUsed {
    pub currencies: Vec<Currency>,
    pub until: Date,
    pub mark: u64,
}

impl PositionSnapshot {
    /// `None` for a lot that cannot be replayed, or has no entries.
    pub fn compute(lot: &Lot, traded: Traded<'_>, held: bool, fx: &Fx, today: Date) -> Option<PositionSnapshot> {
        let first = lot.entries.first()?;
        let position = lot.position(traded, fx, today).ok()?;
        let rates = rates_used(lot, traded, today);
        let days = lot.entries.iter().map(|entry| entry.date).chain(traded.splits.iter().map(|split| split.date));
        Some(PositionSnapshot {
            first: (first.date, first.sequence),
            isin: lot.isin.clone(),
            name: lot.name.clone(),
            position,
            held,
            dividends: dividends_paid(&lot.entries, today),
            basis: Basis {
                day: today,
                changes: days.filter(|day| *day > today).min(),
                currency: traded.currency,
                splits: traded.mark,
                rates: rates.map(|(currencies, until)| RatesUsed { mark: fx.fingerprint(&currencies, until), currencies, until }),
            },
        })
    }
}

impl Basis {
    /// Whether the snapshot includes all entries up to today, and no others.
    pub fn is_valid_on(&self, today: Date) -> bool {
        self.day <= today && self.changes.is_none_or(|changes| today < changes)
    }

    /// Whether the position is what a replay would give, on a day for which it is valid.
    pub fn is_valid_for(&self, traded: Traded<'_>, fx: &Fx) -> bool {
        let same_rates = |used: &RatesUsed| fx.fingerprint(&used.currencies, used.until) == used.mark;
        (self.currency, self.splits) == (traded.currency, traded.mark) && self.rates.as_ref().is_none_or(same_rates)
    }
}

/// The currencies whose exchange rates the replay of a lot uses, and the last day; `None` if it uses none.
pub(crate) fn rates_used(lot: &Lot, traded: Traded<'_>, today: Date) -> Option<(Vec<Currency>, Date)> {
    let first = lot.entries.first().map(|entry| entry.currency);
    let (mut currencies, mut last) = (BTreeSet::new(), None);
    // In the trading currency and, if that fails, in that of the first entry.
    for own in traded.currency.into_iter().chain(first) {
        for (other, day) in ledger::rates_asked(&lot.entries, own, today) {
            currencies.extend([own, other]);
            last = last.max(Some(day));
        }
    }
    Some((currencies.into_iter().collect(), last?))
}

/// The first day whose dividends count for the withholding tax.
pub(crate) fn seen_since(today: Date) -> Date {
    today.saturating_sub(24.months())
}

/// Up to today. A net amount without its gross says nothing about a rate.
pub(crate) fn dividends_paid(entries: &[Entry], today: Date) -> Dividends {
    let since = seen_since(today);
    let recent = entries.iter().filter(|entry| entry.date >= since && entry.date <= today);
    let paid = |entry: &Entry| match &entry.event {
        Event::Dividend(dividend) if dividend.gross_known => {
            Some(Paid { date: entry.date, currency: entry.currency, gross: dividend.gross, tax: dividend.tax })
        }
        _ => None,
    };
    Dividends::of(recent.filter_map(paid))
}
