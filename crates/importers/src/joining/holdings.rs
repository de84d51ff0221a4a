//! How many shares the rows of a file add up to at a moment: brokers book a split as the shares it added.

use std::collections::HashMap;

use jiff::civil::DateTime;
use ledger::Decimal;

/// Shares in and out, by instrument.
#[derive(Default)]
pub struct Holdings {
    moves: HashMap<String, Vec<(DateTime, Decimal)>>,
    /// Shares held from each moment on.
    held: HashMap<String, Vec<(DateTime, Decimal)>>,
}

impl Holdings {
    pub fn add(&mut self, instrument: &str, at: DateTime, shares: Decimal) {
        match self.moves.get_mut(instrument) {
            Some(moves) => moves.push((at, shares)),
            None => drop(self.moves.insert(instrument.to_owned(), vec![(at, shares)])),
        }
    }

    /// Sums what was added so far; must be called before any query.
    pub fn sum_up(&mut self) {
        for (instrument, moves) in &mut self.moves {
            moves.sort_by_key(|(at, _)| *at);
            let sums = moves.iter().scan(Decimal::ZERO, |held, (at, shares)| {
                *held = held.saturating_add(*shares);
                Some((*at, *held))
            });
            self.held.insert(instrument.clone(), sums.collect());
        }
    }

    pub fn before(&self, instrument: &str, at: DateTime) -> Decimal {
        let held = self.held.get(instrument).map(Vec::as_slice).unwrap_or_default();
        let later = held.partition_point(|(since, _)| *since < at);
        later.checked_sub(1).map_or(Decimal::ZERO, |last| held[last].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn shares_count_from_the_time_of_their_trade() {
        let at = |day: i8| date(2025, 3, day).at(12, 0, 0, 0);
        let mut holdings = Holdings::default();
        holdings.add("KO", at(3), Decimal::from(-2));
        holdings.add("KO", at(1), Decimal::from(5));
        holdings.sum_up();
        assert_eq!([1, 2, 3, 4].map(|day| holdings.before("KO", at(day))), [0, 5, 5, 3].map(Decimal::from));
        assert_eq!(holdings.before("PEP", at(4)), Decimal::ZERO);
    }
}
