//! Splits that a broker books only as the shares they added: the shares in the file on that day give the ratio.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::{Decimal, Kind};

use super::{order, split_ratio};
use crate::reading::us_security;
use crate::{Parsed, Reason, Record};

/// Computes the ratio of every split without one: until then its `shares` are those added, or removed if negative.
pub fn work_out(parsed: &mut Parsed) {
    if !parsed.records.iter().any(is_open) {
        return;
    }
    order::chronological(&mut parsed.records);
    let mut held: HashMap<String, Decimal> = HashMap::new();
    let records = std::mem::take(&mut parsed.records);
    for mut record in of_one_day_together(records) {
        let shares = held.entry(us_security::key(&record)).or_default();
        if is_open(&record) {
            let added = record.shares.take().unwrap_or_default();
            match split_ratio::of_counts(*shares, shares.saturating_add(added)) {
                Some(ratio) => {
                    record.ratio = Some(ratio);
                    record.ratio_worked_out = true;
                    record.note = Some(format!("ratio from the {shares} shares held in the file and the {added} that came"));
                }
                None => {
                    refuse(parsed, record, *shares, added);
                    continue;
                }
            }
        }
        *shares = after(*shares, &record);
        parsed.records.push(record);
    }
}

fn is_open(record: &Record) -> bool {
    record.kind == Kind::Split && record.ratio.is_none()
}

/// Several accounts of one user, or cash and margin, each have a row for the same split.
fn of_one_day_together(records: Vec<Record>) -> Vec<Record> {
    let mut first: HashMap<(String, Date), usize> = HashMap::new();
    let mut kept: Vec<Record> = Vec::with_capacity(records.len());
    for record in records {
        let place = is_open(&record).then(|| *first.entry((us_security::key(&record), record.date)).or_insert(kept.len()));
        match place {
            Some(place) if place < kept.len() => {
                let one = &mut kept[place];
                one.shares = Some(one.shares.unwrap_or_default().saturating_add(record.shares.unwrap_or_default()));
                one.joined.push(record.line);
                one.joined.extend(record.joined);
            }
            _ => kept.push(record),
        }
    }
    kept
}

fn refuse(parsed: &mut Parsed, record: Record, held: Decimal, added: Decimal) {
    for line in &record.joined {
        parsed.skip(*line, Reason::PartOfError { line: record.line });
    }
    parsed.error(record.line, Reason::SplitRatioInexact { held: held.into(), added: added.into() });
}

fn after(held: Decimal, record: &Record) -> Decimal {
    let shares = record.shares.unwrap_or_default();
    match (record.kind, record.ratio) {
        (Kind::Buy | Kind::TransferIn, _) => held.saturating_add(shares),
        (Kind::Sell | Kind::TransferOut, _) => held.saturating_sub(shares),
        (Kind::Split, Some(ratio)) => {
            held.checked_mul(ratio.new).and_then(|all| all.checked_div(ratio.old)).unwrap_or(held).normalize()
        }
        _ => held,
    }
}
