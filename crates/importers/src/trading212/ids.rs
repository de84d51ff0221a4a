//! What a row is known by when another export has it again.

use std::collections::HashMap;

use jiff::civil::{Date, Time};
use ledger::{Decimal, Kind};

use crate::Record;

/// Of an order, one fill; a row that stands in a file twice is the same one.
type Fill = (Date, Option<Time>, Option<Decimal>);

/// An order's number may stand on several rows, and dividends have none: their figures are printed with more decimals from
/// one year to the next, but their moment and their shares stay.
pub fn give(records: &mut [Record]) {
    let mut fills: HashMap<String, Fills> = HashMap::with_capacity(records.len());
    let mut moments: HashMap<String, usize> = HashMap::new();
    for record in records {
        let (kind, shares) = (record.kind.word(), record.shares.unwrap_or_default().normalize());
        let (id, count) = if let Some(id) = &record.id {
            let id = format!("{id} {kind} {shares}");
            let fill = (record.date, record.time, record.price);
            let known = fills.entry(id.clone()).or_insert_with(|| Fills { first: fill, others: HashMap::new() });
            (id, known.number(fill))
        } else if let Some(moment) = moment(record) {
            let id = format!("{moment} {kind} {shares}");
            let count = moments.entry(id.clone()).or_default();
            *count += 1;
            (id, *count)
        } else {
            continue;
        };
        record.id = Some(if count == 1 { id } else { format!("{id} {count}") });
    }
}

/// The fills of one order, which has hardly ever more than one.
struct Fills {
    first: Fill,
    others: HashMap<Fill, usize>,
}

impl Fills {
    /// From one on, in the order in which they are met.
    fn number(&mut self, fill: Fill) -> usize {
        if fill == self.first {
            return 1;
        }
        let next = self.others.len() + 2;
        *self.others.entry(fill).or_insert(next)
    }
}

fn moment(record: &Record) -> Option<String> {
    let time = record.time.filter(|_| matches!(record.kind, Kind::Dividend | Kind::ReturnOfCapital))?;
    let share = record.isin.as_ref().or(record.ticker.as_ref())?;
    Some(format!("{} {:02}:{:02}:{:02} {share}", record.date, time.hour(), time.minute(), time.second()))
}
