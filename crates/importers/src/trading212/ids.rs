//! Identifies a row when another export has it again.

use std::collections::HashMap;
use std::fmt::Write;

use jiff::civil::{Date, Time};
use ledger::{Decimal, Kind};

use crate::Record;

/// One fill of an order; a row that is in a file twice is the same one.
type Fill = (Date, Option<Time>, Option<Decimal>);

/// Several rows may have the same order number, and dividends have none: their figures get more decimals from one year to the
/// next, but their time and shares stay the same.
pub fn give(records: &mut [Record]) {
    let mut fills = Fills::default();
    fills.first.reserve(records.len());
    let mut moments: HashMap<String, usize> = HashMap::new();
    for record in records {
        let of_order = record.id.is_some();
        let Some(mut id) = record.id.take().or_else(|| moment(record)) else { continue };
        put_shares(&mut id, record);
        let count = if of_order {
            fills.number(&id, (record.date, record.time, record.price))
        } else {
            let count = moments.entry(id.clone()).or_default();
            *count += 1;
            *count
        };
        record.id = Some(if count == 1 { id } else { format!("{id} {count}") });
    }
}

/// The fills of all orders; hardly any order has more than one.
#[derive(Default)]
struct Fills {
    first: HashMap<String, Fill>,
    others: HashMap<String, HashMap<Fill, usize>>,
}

impl Fills {
    /// Counted from one, in the order in which they appear.
    fn number(&mut self, id: &str, fill: Fill) -> usize {
        if *self.first.entry(id.to_owned()).or_insert(fill) == fill {
            return 1;
        }
        let others = self.others.entry(id.to_owned()).or_default();
        let next = others.len() + 2;
        *others.entry(fill).or_insert(next)
    }
}

fn put_shares(id: &mut String, record: &Record) {
    id.reserve(32);
    id.push(' ');
    id.push_str(record.kind.word());
    // Writing to a string never fails.
    let _ = write!(id, " {}", record.shares.unwrap_or_default().normalize());
}

fn moment(record: &Record) -> Option<String> {
    let time = record.time.filter(|_| matches!(record.kind, Kind::Dividend | Kind::ReturnOfCapital))?;
    let share = record.isin.as_ref().or(record.ticker.as_ref())?;
    Some(format!("{} {:02}:{:02}:{:02} {share}", record.date, time.hour(), time.minute(), time.second()))
}
