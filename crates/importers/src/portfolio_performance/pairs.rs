//! Rows of the exported table that are one event: the two sides of a purchase, and a dividend with separately booked tax.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::{Currency, Decimal};

use crate::{Kind, Parsed, Reason, Record};

/// A purchase appears in the export of its account with one sign, and in that of its depot with the other: in a file that has
/// both, they are one.
#[derive(Default)]
pub struct Sides {
    /// Indexes of records that wait for their other side, by what the two have in common.
    waiting: HashMap<(String, bool), Vec<usize>>,
}

impl Sides {
    /// `negative` is the sign of the value in its row.
    pub fn add(&mut self, negative: bool, record: Record, parsed: &mut Parsed) {
        if matches!(record.kind, Kind::Buy | Kind::Sell) {
            let figure = |figure: Option<Decimal>| figure.map(|figure| figure.normalize().to_string());
            let common = format!(
                "{:?}",
                (record.date, record.time, record.kind, &record.isin, &record.name, figure(record.shares), figure(record.amount))
            );
            let other = self.waiting.get_mut(&(common.clone(), !negative)).and_then(Vec::pop);
            if let Some(other) = other.and_then(|at| parsed.records.get_mut(at)) {
                return other.joined.push(record.line);
            }
            self.waiting.entry((common, negative)).or_default().push(parsed.records.len());
        }
        parsed.records.push(record);
    }
}

/// Tax that was booked separately belongs to the dividend of its day; other tax is on gains or on funds that paid nothing.
pub fn join(taxes: Vec<Tax>, parsed: &mut Parsed) {
    let mut dividends = HashMap::new();
    for (at, record) in parsed.records.iter().enumerate().filter(|(_, record)| record.kind == Kind::Dividend) {
        let named = record.isin.clone().or_else(|| record.name.clone());
        dividends.entry((named, record.date, record.currency)).or_insert(at);
    }
    for tax in taxes {
        let beside = dividends.get(&(tax.named, tax.date, Some(tax.currency))).and_then(|at| parsed.records.get_mut(*at));
        match beside {
            Some(record) => {
                record.tax = Some(record.tax.unwrap_or_default().saturating_add(tax.withheld));
                record.net = record.net.map(|net| net.saturating_sub(tax.withheld));
                record.joined.push(tax.line);
            }
            None => parsed.skip(tax.line, Reason::TaxWithoutDividend),
        }
    }
}

/// Tax in a separate row.
pub struct Tax {
    pub line: u64,
    pub named: Option<String>,
    pub date: Date,
    pub currency: Currency,
    /// Negative if it was returned.
    pub withheld: Decimal,
}
