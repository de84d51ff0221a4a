//! The cost of shares received for others, computed from the trades of the same file: a new ISIN or a tender moves shares from
//! one line to another without stating a value.

use std::collections::HashMap;

use ledger::Decimal;

use crate::Record;
use crate::joining::held_cost::HeldCost;

/// Shares removed and those received for them, by their indexes among the records.
pub struct Exchange {
    pub went: usize,
    pub came: usize,
    pub event: String,
}

pub fn carry(records: &mut [Record], exchanges: &[Exchange]) {
    let by_place: HashMap<usize, &Exchange> =
        exchanges.iter().flat_map(|exchange| [(exchange.went, exchange), (exchange.came, exchange)]).collect();
    if by_place.is_empty() {
        return;
    }
    let mut places: Vec<usize> = (0..records.len()).collect();
    places.sort_by_key(|place| (records[*place].date, records[*place].time, *place));
    let mut held: HashMap<String, HeldCost> = HashMap::new();
    for place in places {
        if let Some(exchange) = by_place.get(&place)
            && let Some(cost) = cost_of(&records[exchange.went], &held)
            && records[exchange.came].amount.is_some_and(|amount| amount.is_zero())
            // A row without an id is recognised by its figures, so they must not depend on how much history the file has.
            && records[exchange.came].id.is_some()
            && held.get(&name(&records[exchange.went])).is_some_and(|held| held.currency == records[exchange.came].currency)
        {
            records[exchange.came].amount = Some(cost);
            records[exchange.came].note =
                super::wording::plain(&format!("with the cost of what it came for: {}", exchange.event));
        }
        held.entry(name(&records[place])).or_default().apply(&records[place]);
    }
}

fn name(record: &Record) -> String {
    record.isin.as_ref().or(record.ticker.as_ref()).cloned().unwrap_or_default()
}

/// `None` if the file does not have its complete history.
fn cost_of(went: &Record, held: &HashMap<String, HeldCost>) -> Option<Decimal> {
    held.get(&name(went))?.cost_of(went).filter(|cost| *cost > Decimal::ZERO)
}
