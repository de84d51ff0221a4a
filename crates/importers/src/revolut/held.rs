//! How many shares the file knows of at each moment: splits and closures need it.

use std::collections::HashMap;

use ledger::Decimal;

#[derive(Default)]
pub struct Held {
    shares: HashMap<String, Decimal>,
    /// What was there before the file begins, where a move between Revolut's companies tells the whole position.
    before: HashMap<String, Decimal>,
}

impl Held {
    /// `count` is the whole position of the ticker after the changes so far; the first such row tells the most.
    pub fn stated(&mut self, ticker: &str, count: Decimal) {
        let known = self.of_file(ticker);
        let before = count.saturating_sub(known).max(Decimal::ZERO);
        self.before.entry(ticker.to_owned()).or_insert(before);
    }

    pub fn change(&mut self, ticker: &str, by: Decimal) {
        let shares = self.shares.entry(ticker.to_owned()).or_default();
        *shares = shares.saturating_add(by);
    }

    /// From the file's own rows alone.
    pub fn of_file(&self, ticker: &str) -> Decimal {
        self.shares.get(ticker).copied().unwrap_or_default()
    }

    /// Starts over, keeping what was learnt about the time before the file.
    pub fn rewind(&mut self) {
        self.shares.clone_from(&self.before);
    }
}
