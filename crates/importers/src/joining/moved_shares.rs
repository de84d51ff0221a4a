//! Shares that left one account of the user and arrived in another on the same day, both in one file.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::{Decimal, Kind};

use super::split_ratio;
use crate::reading::us_security;
use crate::{Parsed, Reason, Record};

type Move = (String, Date, Decimal);

/// Removes pairs of transfers that cancel each other: otherwise the cost of the shares would be lost.
pub fn leave_out(parsed: &mut Parsed) {
    let mut going: HashMap<Move, Vec<usize>> = HashMap::new();
    for (place, record) in parsed.records.iter().enumerate().filter(|(_, record)| record.kind == Kind::TransferOut) {
        going.entry(key(record)).or_default().push(place);
    }
    let mut other = vec![None; parsed.records.len()];
    for (place, record) in parsed.records.iter().enumerate().filter(|(_, record)| record.kind == Kind::TransferIn) {
        if let Some(gone) = going.get_mut(&key(record)).and_then(Vec::pop) {
            other[place] = Some(parsed.records[gone].line);
            other[gone] = Some(record.line);
        }
    }
    for (record, other) in std::mem::take(&mut parsed.records).into_iter().zip(other) {
        match other {
            Some(other) => {
                for line in std::iter::once(record.line).chain(record.joined) {
                    parsed.skip(line, Reason::Moved { line: other });
                }
            }
            None => parsed.records.push(record),
        }
    }
}

/// Transfers of one instrument on one day: a split if shares went out and others came in, else what they were.
pub fn as_split(rows: Vec<Record>) -> Vec<Record> {
    let (gone, come) = (sum(&rows, Kind::TransferOut), sum(&rows, Kind::TransferIn));
    let Some(ratio) = split_ratio::of_exchange(gone, come) else { return rows };
    let joined = rows.iter().skip(1).map(|row| row.line).collect();
    let note = Some(format!("{} shares taken, {} given", gone.normalize(), come.normalize()));
    let split = |first| Record { kind: Kind::Split, joined, ratio: Some(ratio), shares: None, amount: None, note, ..first };
    rows.into_iter().next().map(split).into_iter().collect()
}

/// The shares of all transfers in that direction.
pub fn sum(rows: &[Record], kind: Kind) -> Decimal {
    let shares = rows.iter().filter(|row| row.kind == kind).filter_map(|row| row.shares);
    shares.fold(Decimal::ZERO, Decimal::saturating_add)
}

fn key(record: &Record) -> Move {
    (us_security::key(record), record.date, record.shares.unwrap_or_default().normalize())
}
