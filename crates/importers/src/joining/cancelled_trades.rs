//! Cancellations and the trades they cancel, if a file has both.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use jiff::civil::Date;
use ledger::Decimal;

use crate::{Parsed, Reason};

/// Removes what was reversed: for each reversal the last with its key. Both become skips; a reversal of nothing is an error.
pub fn without_reversed<Booked, Key: Hash + Eq>(
    booked: Vec<Booked>,
    reversals: Vec<Booked>,
    key: impl Fn(&Booked) -> Key,
    line: impl Fn(&Booked) -> u64,
    parsed: &mut Parsed,
) -> Vec<Booked> {
    let mut open: HashMap<Key, Vec<usize>> = HashMap::new();
    for (at, one) in booked.iter().enumerate().filter(|_| !reversals.is_empty()) {
        open.entry(key(one)).or_default().push(at);
    }
    let mut booked: Vec<Option<Booked>> = booked.into_iter().map(Some).collect();
    for reversal in &reversals {
        match open.get_mut(&key(reversal)).and_then(Vec::pop).and_then(|at| booked[at].take()) {
            Some(one) => {
                parsed.skip(line(&one), Reason::Cancelled { line: line(reversal) });
                parsed.skip(line(reversal), Reason::Cancels { line: line(&one) });
            }
            None => parsed.error(line(reversal), Reason::ReversedMissing),
        }
    }
    booked.into_iter().flatten().collect()
}

/// A trade or its cancellation: equal in everything but the day.
pub struct Leg {
    pub line: u64,
    pub date: Date,
    pub is_buy: bool,
    pub cancels: bool,
    pub symbol: Option<String>,
    pub shares: Option<Decimal>,
    pub price: Option<Decimal>,
}

/// Removes all cancellations and the trades they cancel: for each the last one before it. They become skips or, if the trade is
/// missing, errors. Rows that are neither have no leg.
pub fn take_out<Row>(rows: &mut Vec<Row>, leg: impl Fn(&Row) -> Option<Leg>, parsed: &mut Parsed) {
    let legs = || rows.iter().enumerate().filter_map(|(place, row)| Some((place, leg(row)?)));
    let mut alike: HashMap<_, BTreeSet<(Date, usize, u64)>> = HashMap::new();
    for (place, trade) in legs().filter(|(_, leg)| !leg.cancels) {
        alike.entry(key(&trade)).or_default().insert((trade.date, place, trade.line));
    }
    let mut gone = HashSet::new();
    for (place, cancellation) in legs().filter(|(_, leg)| leg.cancels) {
        gone.insert(place);
        let found = alike.get_mut(&key(&cancellation)).and_then(|alike| {
            let last = alike.range(..=(cancellation.date, usize::MAX, u64::MAX)).next_back().copied()?;
            alike.remove(&last).then_some(last)
        });
        let Some((_, undone, line)) = found else {
            parsed.error(cancellation.line, Reason::ReversedMissing);
            continue;
        };
        gone.insert(undone);
        parsed.skip(cancellation.line, Reason::Cancels { line });
        parsed.skip(line, Reason::Cancelled { line: cancellation.line });
    }
    let mut place = 0..;
    rows.retain(|_| !place.next().is_some_and(|place| gone.contains(&place)));
}

fn key(leg: &Leg) -> (bool, Option<String>, Option<Decimal>, Option<Decimal>) {
    let plain = |figure: Option<Decimal>| figure.map(|figure| figure.abs().normalize());
    (leg.is_buy, leg.symbol.clone(), plain(leg.shares), plain(leg.price))
}
