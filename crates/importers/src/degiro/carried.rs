//! Carries the cost of shares over when their ISIN changes: DEGIRO books the change at the day's price.

use std::collections::HashMap;

use crate::Record;
use crate::joining::held_cost::HeldCost;
use crate::joining::order;

/// The line of the row that removed shares, and that of the row that added others for them.
pub type Exchange = (u64, u64);

pub fn carry(records: &mut [Record], exchanges: &[Exchange]) {
    if exchanges.is_empty() {
        return;
    }
    order::chronological(records);
    let places: HashMap<u64, usize> = records.iter().enumerate().map(|(at, record)| (record.line, at)).collect();
    let mut comes: HashMap<usize, usize> = HashMap::new();
    for (out, into) in exchanges {
        if let (Some(out), Some(into)) = (places.get(out), places.get(into)) {
            comes.insert(*out, *into);
        }
    }
    let mut positions: HashMap<String, HeldCost> = HashMap::new();
    for at in 0..records.len() {
        let Some(key) = instrument(&records[at]) else { continue };
        let held = positions.entry(key).or_default();
        if let (Some(into), Some(cost)) = (comes.get(&at), held.cost_of(&records[at])) {
            let came = &mut records[*into];
            if came.currency == held.currency {
                came.price = None;
                came.amount = Some(cost);
                came.note = came.note.take().map(|note| format!("{note}; they keep their cost"));
            }
        }
        held.apply(&records[at]);
    }
}

fn instrument(record: &Record) -> Option<String> {
    record.isin.clone().or_else(|| record.name.clone())
}
