//! What shares cost that came for others, worked out from the trades of the same file: a new number or a tender moves shares
//! from one line to another and tells no value.

use std::collections::HashMap;

use ledger::Decimal;

use crate::Record;
use crate::joining::held_cost::HeldCost;

/// Shares that went and the ones that came for them, by their places among the records.
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
            // Without a number of its own, a row is known again by its figures: they must not hang on how long the file is.
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

/// None where the file does not hold all of its past.
fn cost_of(went: &Record, held: &HashMap<String, HeldCost>) -> Option<Decimal> {
    held.get(&name(went))?.cost_of(went).filter(|cost| *cost > Decimal::ZERO)
}
