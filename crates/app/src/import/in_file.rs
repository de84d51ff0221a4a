//! What the rows of a file together say about the currencies of its instruments.

use std::collections::HashMap;

use importers::{Kind, Record};
use jiff::civil::Date;
use ledger::Currency;

use super::named::Named;

#[derive(Default)]
pub(super) struct InFile<'r> {
    /// The instruments that rows name, each once.
    pub named: Vec<Named<'r>>,
    /// The only currency of the file's trades in an instrument, by key; `None` if there are several.
    pub traded_in: HashMap<String, Option<Currency>>,
    /// The currency of each instrument's earliest row that has one; by symbol and by key.
    pub currencies: HashMap<String, Currency>,
}

/// What rows with the same names say about an instrument.
#[derive(Default)]
struct InstrumentFacts {
    traded_in: Option<Option<Currency>>,
    earliest: Option<Earliest>,
}

/// Among rows of one day, the first in the file.
type Earliest = (Date, usize, Currency);

impl<'r> InFile<'r> {
    pub fn of(records: &'r [Record]) -> InFile<'r> {
        // Grouped by names first, which are few, because computing a key is costly.
        let mut by_names: HashMap<Vec<u8>, (Named<'_>, InstrumentFacts)> = HashMap::new();
        let mut names = Vec::new();
        for (at, record) in records.iter().enumerate() {
            let named = Named::by(record);
            named.put_names(&mut names);
            let (_, facts) = match by_names.get_mut(&names) {
                Some(known) => known,
                None => by_names.entry(names.clone()).or_insert((named, InstrumentFacts::default())),
            };
            facts.add(record, at);
        }
        let (mut file, mut earliest) = (InFile::default(), HashMap::<String, Earliest>::new());
        for (named, facts) in by_names.into_values() {
            let key = named.key();
            file.named.push(named);
            if let Some(first) = facts.earliest {
                for name in [named.symbol, Some(key.as_str())].into_iter().flatten() {
                    let known = earliest.entry(name.to_owned()).or_insert(first);
                    *known = first.min(*known);
                }
            }
            if let Some(currency) = facts.traded_in {
                let known = file.traded_in.entry(key).or_insert(currency);
                *known = known.filter(|known| Some(*known) == currency);
            }
        }
        file.currencies = earliest.into_iter().map(|(name, (_, _, currency))| (name, currency)).collect();
        file
    }
}

impl InstrumentFacts {
    fn add(&mut self, record: &Record, at: usize) {
        if matches!(record.kind, Kind::Buy | Kind::Sell) {
            let before = self.traded_in.unwrap_or(record.currency);
            self.traded_in = Some(before.filter(|before| Some(*before) == record.currency));
        }
        if let Some(currency) = record.currency {
            let first = (record.date, at, currency);
            self.earliest = Some(self.earliest.map_or(first, |before| first.min(before)));
        }
    }
}
