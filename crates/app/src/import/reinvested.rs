//! The purchases of a file that reinvest one of its dividends.

use std::collections::HashMap;

use importers::{Kind, Record};
use store::entries::Entry;
use uuid::Uuid;

use crate::entries::reinvested::reference_by;

#[derive(Default)]
pub(super) struct Reinvestments {
    /// By the number that a dividend shares with its purchase: its lot, and what refers to it.
    dividends: HashMap<usize, (Uuid, String, String)>,
    /// By portfolio and identity.
    purchases: HashMap<(Uuid, String), usize>,
}

impl Reinvestments {
    /// A row of the file, whether it is new or not.
    pub fn add(&mut self, record: &Record, portfolio_id: Uuid, symbol: &str, source: &str, identity: &str) {
        match (record.reinvestment, record.kind) {
            (Some(number), Kind::Dividend) => {
                let reference = reference_by(source, record.id.as_deref(), record.ex_date, identity);
                self.dividends.insert(number, (portfolio_id, symbol.to_owned(), reference));
            }
            (Some(number), Kind::Buy) => drop(self.purchases.insert((portfolio_id, identity.to_owned()), number)),
            _ => {}
        }
    }

    pub fn link(&self, entries: &mut [Entry]) {
        if self.purchases.is_empty() {
            return;
        }
        for entry in entries {
            let number = self.purchases.get(&(entry.portfolio_id, entry.identity.clone()));
            let dividend = number.and_then(|number| self.dividends.get(number));
            let of_lot = dividend.filter(|(portfolio_id, symbol, _)| (*portfolio_id, symbol) == (entry.portfolio_id, &entry.symbol));
            entry.reinvests = of_lot.map(|(.., reference)| reference.clone());
        }
    }
}
