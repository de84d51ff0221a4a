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
    let mut fills: HashMap<String, HashMap<Fill, usize>> = HashMap::new();
    let mut moments: HashMap<String, usize> = HashMap::new();
    for record in records {
        let what = format!("{} {}", record.kind.word(), record.shares.unwrap_or_default().normalize());
        let (id, count) = if let Some(id) = &record.id {
            let id = format!("{id} {what}");
            let known = fills.entry(id.clone()).or_default();
            let next = known.len() + 1;
            (id, *known.entry((record.date, record.time, record.price)).or_insert(next))
        } else if let Some(moment) = moment(record) {
            let id = format!("{moment} {what}");
            let count = moments.entry(id.clone()).or_default();
            *count += 1;
            (id, *count)
        } else {
            continue;
        };
        record.id = Some(if count == 1 { id } else { format!("{id} {count}") });
    }
}

fn moment(record: &Record) -> Option<String> {
    let time = record.time.filter(|_| matches!(record.kind, Kind::Dividend | Kind::ReturnOfCapital))?;
    let share = record.isin.as_ref().or(record.ticker.as_ref())?;
    Some(format!("{} {:02}:{:02}:{:02} {share}", record.date, time.hour(), time.minute(), time.second()))
}
