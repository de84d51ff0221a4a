//! Corporate actions, which DEGIRO books as a sale of the old shares and a purchase of the new ones.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::civil::{Date, Time};
use ledger::{Decimal, Kind};

use super::carried::Exchange;
use super::sorts::Action;
use crate::joining::split_ratio;
use crate::reading::trade_text::{Figures, Side};
use crate::{Parsed, Reason, Record};

/// One of the two bookings.
#[derive(Clone)]
pub struct Leg {
    pub action: Action,
    /// The text in the file.
    pub words: String,
    pub side: Side,
    pub figures: Figures,
    /// The row as a record: instrument, day, lines.
    pub record: Record,
}

/// Returns the exchanges of one instrument for another.
pub fn pair_up(legs: Vec<Leg>, parsed: &mut Parsed) -> Vec<Exchange> {
    let mut exchanges = Vec::new();
    let mut legs: Vec<Option<Leg>> = legs.into_iter().map(Some).collect();
    for (out, into) in pairs(&legs) {
        if let (Some(out), Some(into)) = (legs[out].take(), legs[into].take()) {
            exchanges.extend(exchanged(out, into, parsed));
        }
    }
    legs.into_iter().flatten().for_each(|leg| alone(leg, parsed));
    exchanges
}

/// Sale and purchase of one action and day: of the same instrument, else of the same value, else the only two.
fn pairs(legs: &[Option<Leg>]) -> Vec<(usize, usize)> {
    let mut groups: BTreeMap<(Date, Action), Vec<usize>> = BTreeMap::new();
    for (at, leg) in legs.iter().enumerate() {
        if let Some(leg) = leg.as_ref().filter(|leg| matches!(leg.action, Action::Split | Action::Change | Action::Merger)) {
            groups.entry((leg.record.date, leg.action)).or_default().push(at);
        }
    }
    let mut pairs = Vec::new();
    for ((_, action), mut group) in groups {
        // A merger may pay cash in addition to shares: its two sides are one exchange only if they are worth the same.
        let ways = if action == Action::Merger { 2 } else { 3 };
        for key in [instrument, value, |_: &Leg| String::new()].into_iter().take(ways) {
            let mut outs: HashMap<String, Vec<usize>> = HashMap::new();
            let leg = |at: usize| legs[at].as_ref();
            for at in group.iter().copied().filter(|at| leg(*at).is_some_and(|leg| leg.side == Side::Sell)) {
                outs.entry(leg(at).map(key).unwrap_or_default()).or_default().push(at);
            }
            let ins: Vec<usize> = group.iter().copied().filter(|at| leg(*at).is_some_and(|leg| leg.side == Side::Buy)).collect();
            let mut paired = HashSet::new();
            for into in ins.iter().copied() {
                let waiting = outs.get_mut(&leg(into).map(key).unwrap_or_default());
                let sure = |waiting: &&mut Vec<usize>| {
                    leg(into).is_some_and(|leg| !key(leg).is_empty()) || (waiting.len() == 1 && ins.len() == 1)
                };
                if let Some(out) = waiting.filter(sure).and_then(Vec::pop) {
                    paired.extend([out, into]);
                    pairs.push((out, into));
                }
            }
            group.retain(|at| !paired.contains(at));
        }
    }
    pairs
}

fn instrument(leg: &Leg) -> String {
    leg.record.isin.clone().or_else(|| leg.record.name.clone()).unwrap_or_default()
}

fn value(leg: &Leg) -> String {
    let value = leg.figures.shares.checked_mul(leg.figures.price).filter(|value| !value.is_zero());
    value.map(|value| value.round_dp(0).normalize().to_string()).unwrap_or_default()
}

fn exchanged(out: Leg, into: Leg, parsed: &mut Parsed) -> Option<Exchange> {
    let (old, new) = (out.figures.shares, into.figures.shares);
    if new.is_zero() {
        nothing_left(out, &into, parsed);
        return None;
    }
    if instrument(&out) != instrument(&into) {
        let exchange = (out.record.line, into.record.line);
        let named = |leg: &Leg| leg.record.isin.clone().or_else(|| leg.record.name.clone()).unwrap_or_default();
        let (from, to) = (named(&out), named(&into));
        let note = format!("{}: {} {from} became {} {to}", into.words, old.normalize(), new.normalize());
        let ids = (id(&out), id(&into));
        parsed.records.push(Record { id: ids.0, ..moved(out, Kind::TransferOut, Some(note.clone())) });
        parsed.records.push(Record { id: ids.1, ..moved(into, Kind::TransferIn, Some(note)) });
        return Some(exchange);
    } else if old == new {
        for (leg, other) in [(&out, &into), (&into, &out)] {
            parsed.skip(leg.record.line, Reason::SameShares { line: other.record.line });
            for line in &leg.record.joined {
                parsed.skip(*line, Reason::Continues { line: leg.record.line });
            }
        }
    } else {
        let mut record = Record { kind: Kind::Split, ratio: split_ratio::of_exchange(old, new), ..into.record };
        record.joined.push(out.record.line);
        record.joined.extend(out.record.joined);
        record.time = earlier(record.time, out.record.time);
        record.note = Some(format!("{} shares became {}", old.normalize(), new.normalize()));
        parsed.records.push(record);
    }
    None
}

/// Less than one new share: DEGIRO does not keep fractions.
fn nothing_left(out: Leg, into: &Leg, parsed: &mut Parsed) {
    for line in std::iter::once(into.record.line).chain(into.record.joined.iter().copied()) {
        parsed.skip(line, Reason::NothingReceived { line: out.record.line });
    }
    let note = format!("{}: no share came for them", out.words);
    parsed.records.push(moved(out, Kind::TransferOut, Some(note)));
}

/// The cost of new shares depends on how much of the history the file has, so the row is identified by its time and shares.
fn id(leg: &Leg) -> Option<String> {
    let time = leg.record.time.map(|time| time.to_string()).unwrap_or_default();
    let isin = leg.record.isin.as_deref()?;
    Some(format!("{} {time} {isin} {:?} {}", leg.record.date, leg.side, leg.figures.shares.normalize()))
}

fn earlier(one: Option<Time>, other: Option<Time>) -> Option<Time> {
    one.zip(other).map(|(one, other)| one.min(other)).or(one).or(other)
}

/// A booking without its counterpart in the file.
fn alone(leg: Leg, parsed: &mut Parsed) {
    let note = Some(leg.words.clone()).filter(|words| !words.is_empty());
    let record = match (leg.action, leg.side) {
        (Action::Split, _) => {
            parsed.error(leg.record.line, Reason::CounterpartMissing);
            for line in &leg.record.joined {
                parsed.skip(*line, Reason::Continues { line: leg.record.line });
            }
            return;
        }
        (Action::SpinOff, Side::Buy) => Record { price: None, amount: Some(Decimal::ZERO), ..moved(leg, Kind::TransferIn, note) },
        (Action::Merger, side) if !leg.figures.price.is_zero() => {
            let price = Some(leg.figures.price);
            Record { price, ..moved(leg, if side == Side::Buy { Kind::Buy } else { Kind::Sell }, note) }
        }
        (_, Side::Buy) => moved(leg, Kind::TransferIn, note),
        (_, Side::Sell) => moved(leg, Kind::TransferOut, note),
    };
    parsed.records.push(record);
}

/// Shares added at their value on that day, or removed.
fn moved(leg: Leg, kind: Kind, note: Option<String>) -> Record {
    let figures = leg.figures;
    let free = figures.price.is_zero();
    let price = Some(figures.price).filter(|_| !free && kind == Kind::TransferIn);
    let amount = (kind == Kind::TransferIn && free).then_some(Decimal::ZERO);
    Record { kind, shares: Some(figures.shares), price, amount, currency: Some(figures.currency), note, ..leg.record }
}
