//! Orders: their fills, and the costs booked for them.

use std::collections::HashMap;

use ledger::{Currency, Decimal, Kind};

use super::entries::Entry;
use super::rates::Rates;
use crate::joining::fills::Fills;
use crate::reading::label;
use crate::reading::trade_text::{Figures, Side};
use crate::{Parsed, Reason, Record};

#[derive(Default)]
pub struct Orders {
    fills: Vec<Fill>,
    costs: Vec<(Entry, Decimal, Currency)>,
    pub rates: Rates,
}

struct Fill {
    entry: Entry,
    side: Side,
    figures: Figures,
    notes: Vec<String>,
    /// In the currency of the trade; `None` without any cost.
    fees: Option<Decimal>,
    joined: Vec<u64>,
    /// The line of the trade that cancelled it.
    undone: Option<u64>,
}

impl Orders {
    pub fn fill(&mut self, entry: Entry, side: Side, figures: Figures, note: Option<String>) {
        let notes = note.into_iter().collect();
        self.fills.push(Fill { entry, side, figures, notes, fees: None, joined: Vec::new(), undone: None });
    }

    pub fn cost(&mut self, entry: Entry, amount: Decimal, currency: Currency) {
        self.costs.push((entry, amount, currency));
    }

    pub fn finish(mut self, parsed: &mut Parsed) {
        self.rates.finish();
        self.undo();
        self.charge(parsed);
        let mut ids = Fills::default();
        for fill in self.fills {
            if let Some(line) = fill.undone {
                fill.entry.skip(parsed, Reason::Cancelled { line });
                for cost in fill.joined {
                    parsed.skip(cost, Reason::Cancelled { line });
                }
                continue;
            }
            let id = ids.id(&fill.entry.order, fill.figures.shares, fill.figures.price);
            parsed.records.push(fill.record(id));
        }
    }

    /// DEGIRO cancels a trade by its opposite under the same order.
    fn undo(&mut self) {
        let mut open: HashMap<(String, String, String), Vec<usize>> = HashMap::new();
        for at in 0..self.fills.len() {
            let fill = &self.fills[at];
            if fill.entry.order.is_empty() {
                continue;
            }
            let figures = fill.figures;
            let what = format!("{} {}", figures.shares.normalize(), figures.price.normalize());
            let key = (fill.entry.order.clone(), fill.entry.instrument().to_owned(), what);
            let waiting = open.entry(key).or_default();
            match waiting.last().copied().filter(|other| self.fills[*other].side != fill.side) {
                Some(other) => {
                    waiting.pop();
                    self.fills[at].undone = Some(self.fills[other].entry.line);
                    self.fills[other].undone = Some(self.fills[at].entry.line);
                }
                None => waiting.push(at),
            }
        }
    }

    /// The costs of an order are added to its first fill.
    fn charge(&mut self, parsed: &mut Parsed) {
        let mut of_order: HashMap<&str, usize> = HashMap::new();
        let mut of_day: HashMap<(&str, jiff::civil::Date), usize> = HashMap::new();
        // Most files run from newest to oldest: of two fills in one minute, the lower one came first.
        let backwards = self.fills.first().map(|fill| fill.entry.date) > self.fills.last().map(|fill| fill.entry.date);
        let first = |one: usize, other: usize| -> bool {
            let key = |at: usize| {
                let fill = &self.fills[at];
                let line = i64::try_from(fill.entry.line).unwrap_or(i64::MAX);
                (fill.undone.is_some(), fill.entry.date, fill.entry.time, if backwards { -line } else { line })
            };
            key(one) < key(other)
        };
        for (at, fill) in self.fills.iter().enumerate() {
            if !fill.entry.order.is_empty() {
                let place = of_order.entry(&fill.entry.order).or_insert(at);
                *place = if first(at, *place) { at } else { *place };
            }
            let place = of_day.entry((fill.entry.instrument(), fill.entry.date)).or_insert(at);
            *place = if first(at, *place) { at } else { *place };
        }
        let mut charges: Vec<(usize, usize)> = Vec::new();
        for (cost, (entry, ..)) in self.costs.iter().enumerate() {
            let at = match entry.order.as_str() {
                "" => of_day.get(&(entry.instrument(), entry.date)),
                order => of_order.get(order),
            };
            match at {
                Some(at) => charges.push((*at, cost)),
                None => entry.skip(parsed, Reason::FeeWithoutTrade),
            }
        }
        for (at, cost) in charges {
            let (entry, amount, currency) = &self.costs[cost];
            let fill = &mut self.fills[at];
            fill.joined.extend(entry.lines());
            let of = (fill.entry.order.as_str(), fill.entry.date);
            match self.rates.convert(*amount, of, *currency, fill.figures.currency) {
                Some(amount) => fill.fees = Some(fill.fees.unwrap_or_default().saturating_sub(amount)),
                None => fill.notes.push(format!(
                    "its cost of {} {currency} (line {}) is not taken: the file has no rate to {}",
                    amount.abs(),
                    entry.line,
                    fill.figures.currency
                )),
            }
        }
    }
}

impl Fill {
    fn record(mut self, id: Option<String>) -> Record {
        let kind = if self.side == Side::Buy { Kind::Buy } else { Kind::Sell };
        if let Some(refund) = self.fees.filter(|fees| *fees < Decimal::ZERO) {
            self.notes.push(format!("costs of {} {} were given back", refund.abs(), self.figures.currency));
            self.fees = None;
        }
        let mut record = self.entry.record(kind);
        record.joined.extend(self.joined);
        Record {
            shares: Some(self.figures.shares),
            price: Some(self.figures.price),
            currency: Some(self.figures.currency),
            fees: self.fees,
            id,
            note: label(&self.notes.join("; ")),
            ..record
        }
    }
}
