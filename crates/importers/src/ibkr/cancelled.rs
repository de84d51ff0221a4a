//! Trades that were booked and cancelled.

use std::collections::{HashMap, VecDeque};

use ledger::Decimal;

use super::entry::Entry;
use crate::{Parsed, Reason, Record};

pub struct Booked {
    record: Record,
    /// How a cancellation may refer to the trade, the most certain first; for a cancellation, how it refers to its trade.
    names: Vec<String>,
}

impl Booked {
    pub fn of(entry: &Entry, record: Record, quantity: Decimal, cancels: bool) -> Booked {
        let named = |kind: &str, original: &str, own: &str| {
            let id = entry.text(if cancels { original } else { own }).filter(|id| *id != "0");
            id.map(|id| format!("{kind} {id}"))
        };
        let share = record.isin.as_ref().or(record.ticker.as_ref()).cloned().unwrap_or_default();
        let price = entry.text("tradeprice").or(entry.text("trademoney")).unwrap_or_default().trim_start_matches('-');
        // The same number of shares: always the whole trade is cancelled.
        let moved = (if cancels { Decimal::ZERO.saturating_sub(quantity) } else { quantity }).normalize();
        let names = [
            named("transaction", "origtransactionid", "transactionid"),
            named("trade", "origtradeid", "tradeid"),
            Some(format!("{share} {} {price}", record.date)),
        ];
        Booked { record, names: names.into_iter().flatten().map(|name| format!("{name} {moved}")).collect() }
    }
}

/// Both rows of a cancelled trade are skipped; the others stay trades.
pub fn take_out(booked: Vec<Booked>, cancels: Vec<Booked>, parsed: &mut Parsed) {
    let mut places: HashMap<&str, VecDeque<usize>> = HashMap::new();
    if !cancels.is_empty() {
        for (place, trade) in booked.iter().enumerate() {
            trade.names.iter().for_each(|name| places.entry(name).or_default().push_back(place));
        }
    }
    let mut cancelled = vec![None; booked.len()];
    for cancel in &cancels {
        let found = cancel.names.iter().find_map(|name| {
            let named = places.get_mut(name.as_str())?;
            while named.front().is_some_and(|place| cancelled[*place].is_some()) {
                named.pop_front();
            }
            named.pop_front()
        });
        match found {
            Some(place) => {
                cancelled[place] = Some(cancel.record.line);
                parsed.skip(cancel.record.line, Reason::Cancels { line: booked[place].record.line });
            }
            None => parsed.error(cancel.record.line, Reason::ReversedMissing),
        }
    }
    for (trade, cancel) in booked.into_iter().zip(cancelled) {
        match cancel {
            Some(line) => parsed.skip(trade.record.line, Reason::Cancelled { line }),
            None => parsed.records.push(trade.record),
        }
    }
}
