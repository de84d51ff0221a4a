//! Commissions, booked in separate rows next to their trades.

use std::collections::HashMap;

use ledger::{Currency, Decimal};

use crate::{Parsed, Reason, Record};

#[derive(Default)]
pub struct Commissions {
    /// The first trade of each order reference; `None` if one reference stands for several instruments.
    trades: HashMap<String, Option<(usize, Option<String>)>>,
    count: usize,
    rows: Vec<Commission>,
}

pub struct Commission {
    pub line: u64,
    pub order: String,
    /// Negative if it was charged.
    pub amount: Decimal,
    pub currency: Option<Currency>,
}

impl Commissions {
    /// Trades are the first records, in the order in which they are added.
    pub fn trade(&mut self, record: &Record, order: Option<&str>) {
        let place = self.count;
        self.count += 1;
        let Some(order) = order else { return };
        let known = self.trades.entry(order.to_owned()).or_insert_with(|| Some((place, record.isin.clone())));
        if known.as_ref().is_some_and(|(_, isin)| *isin != record.isin) {
            *known = None;
        }
    }

    pub fn add(&mut self, commission: Commission) {
        self.rows.push(commission);
    }

    pub fn finish(self, parsed: &mut Parsed) {
        for row in self.rows {
            let place = self.trades.get(&row.order).and_then(|known| known.as_ref()).map(|(place, _)| *place);
            let trade = place.and_then(|place| parsed.records.get_mut(place)).filter(|trade| trade.currency == row.currency);
            match trade {
                Some(trade) if row.amount < Decimal::ZERO => {
                    trade.fees = Some(trade.fees.unwrap_or_default().saturating_add(row.amount.abs()));
                    trade.joined.push(row.line);
                }
                Some(_) => parsed.skip(row.line, Reason::FeeRefunded),
                None => parsed.skip(row.line, Reason::FeeWithoutTrade),
            }
        }
    }
}
