//! A query may list everything several times: executions, their orders, and totals of both. Only one level is counted.

use super::book::Book;
use super::entry::{Entry, Part};
use crate::{Parsed, Reason};

/// What a statement has of each level.
#[derive(Default, Clone)]
struct Held {
    executions: bool,
    orders: bool,
    /// By part: cash, corporate actions, transfers.
    details: Vec<Part>,
}

/// The entries that count; the others are skipped.
pub fn counted<'b>(book: &'b Book, parsed: &mut Parsed) -> Vec<&'b Entry> {
    let mut held = vec![Held::default(); book.statements.len()];
    for entry in &book.entries {
        let Some(held) = held.get_mut(entry.statement) else { continue };
        match entry.part {
            Part::Trades => match level(entry).as_str() {
                "EXECUTION" => held.executions = true,
                "ORDER" => held.orders = true,
                _ => {}
            },
            part if !is_sum(entry) && !held.details.contains(&part) => held.details.push(part),
            _ => {}
        }
    }
    let mut counted = Vec::with_capacity(book.entries.len());
    for entry in &book.entries {
        let held = held.get(entry.statement).cloned().unwrap_or_default();
        let fate = match entry.part {
            Part::Trades => trade(&level(entry), &held, book.orders_first),
            // The lots of a position, which may also be in the report, add up to it.
            Part::OpenPositions if !entry.is_level("LOT") => Fate::Count,
            part if is_sum(entry) && held.details.contains(&part) => Fate::Skip(Reason::CountedElsewhere),
            _ if entry.is_level("LOT") => Fate::Skip(Reason::CountedElsewhere),
            _ => Fate::Count,
        };
        match fate {
            Fate::Count => counted.push(entry),
            Fate::Skip(reason) => parsed.skip(entry.line, reason),
            Fate::Wrong(reason) => parsed.error(entry.line, reason),
        }
    }
    counted
}

enum Fate {
    Count,
    Skip(Reason),
    Wrong(Reason),
}

fn trade(level: &str, held: &Held, orders_first: bool) -> Fate {
    let by_order = held.orders && (orders_first || !held.executions);
    match level {
        "EXECUTION" if by_order => Fate::Skip(Reason::CountedElsewhere),
        "ORDER" if !by_order => Fate::Skip(Reason::CountedElsewhere),
        "EXECUTION" | "ORDER" => Fate::Count,
        "CLOSED_LOT" | "CLOSEDLOT" | "LOT" => Fate::Skip(Reason::CountedElsewhere),
        "WASH_SALE" | "WASHSALE" => Fate::Skip(Reason::NoShares),
        _ if !level.contains("SUMMARY") && !level.contains("TOTAL") => Fate::Wrong(Reason::LevelOfDetail),
        _ if held.orders || held.executions => Fate::Skip(Reason::CountedElsewhere),
        _ => Fate::Wrong(Reason::LevelOfDetail),
    }
}

fn level(entry: &Entry) -> String {
    entry.text("levelofdetail").unwrap_or("EXECUTION").to_ascii_uppercase()
}

fn is_sum(entry: &Entry) -> bool {
    entry.is_level("SUMMARY")
}
