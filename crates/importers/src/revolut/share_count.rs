//! How many shares the file has at each moment, for splits and closures.

use std::collections::HashMap;

use ledger::Decimal;

#[derive(Default)]
pub struct ShareCount {
    shares: HashMap<String, Decimal>,
    /// Shares from before the file begins, if a move between Revolut's companies states the whole position.
    before: HashMap<String, Decimal>,
}

impl ShareCount {
    /// `count` is the ticker's whole position after the changes so far; the first such row is the most informative.
    pub fn stated(&mut self, ticker: &str, count: Decimal) {
        let known = self.of_file(ticker);
        let before = count.saturating_sub(known).max(Decimal::ZERO);
        self.before.entry(ticker.to_owned()).or_insert(before);
    }

    pub fn change(&mut self, ticker: &str, by: Decimal) {
        let shares = self.shares.entry(ticker.to_owned()).or_default();
        *shares = shares.saturating_add(by);
    }

    /// From the file's own rows only.
    pub fn of_file(&self, ticker: &str) -> Decimal {
        self.shares.get(ticker).copied().unwrap_or_default()
    }

    /// Starts again, keeping what was learned about the time before the file.
    pub fn rewind(&mut self) {
        self.shares.clone_from(&self.before);
    }
}
