//! OFX and QFX, which brokers in the United States export for accounting programs (SGML 1.x and XML 2.x).

mod blocks;
mod event;
mod record;
mod tags;

use std::collections::HashMap;

use blocks::{Block, blocks};
use event::Event;
use record::Securities;

use crate::joining::moved_shares;
use crate::joining::payments::Payments;
use crate::{Kind, Opened, Parsed, Reason, Record};

pub fn detect(file: &Opened) -> bool {
    file.sheets.is_empty() && tags::root(&file.text).is_some()
}

pub fn parse(file: &Opened) -> Parsed {
    let blocks = match blocks(&file.text) {
        Ok(blocks) => blocks,
        Err(problem) => return Parsed { refusal: Some(problem), ..Parsed::default() },
    };
    let mut parsed = Parsed::default();
    if !blocks.has_investments {
        parsed = Parsed::refused(1, Reason::BankStatement);
    }
    parsed.rows = (blocks.transactions.len() + blocks.of_banks.len()) as u64;
    for block in &blocks.of_banks {
        parsed.skip(block.line, Reason::Cash);
    }
    let securities = Securities::of(&blocks.securities);
    let mut payments = Payments::default();
    let reversed = reversed(&blocks.transactions);
    for (place, block) in blocks.transactions.iter().enumerate() {
        if let Some(other) = reversed.get(&place) {
            parsed.skip(block.line, Reason::Cancelled { line: *other });
            continue;
        }
        match event::read(block, &securities) {
            Ok(Event::Records(mut records)) => {
                if let [dividend, purchase @ Record { kind: Kind::Buy, second: true, .. }] = records.as_mut_slice() {
                    (dividend.reinvestment, purchase.reinvestment) = (Some(place), Some(place));
                }
                parsed.records.extend(records);
            }
            Ok(Event::Dividend(record)) => payments.dividend(beside(block, &record), *record),
            Ok(Event::Tax(tax, record)) => payments.tax(beside(block, &record), tax, *record),
            Ok(Event::Skip(reason)) => parsed.skip(block.line, reason),
            Err(reason) => parsed.error(block.line, reason),
        }
    }
    parsed.records.extend(payments.finish());
    without_repeated_ids(&mut parsed.records);
    moved_shares::leave_out(&mut parsed);
    parsed.records.sort_by_key(|record| (record.date, rank(record.kind)));
    parsed
}

/// OFX groups transactions by type, so the order within a day is lost: what adds shares comes before what removes them.
fn rank(kind: Kind) -> u8 {
    match kind {
        Kind::Split => 0,
        Kind::Buy | Kind::TransferIn => 1,
        Kind::Dividend | Kind::ReturnOfCapital => 2,
        Kind::Sell | Kind::TransferOut => 3,
    }
}

fn beside(block: &Block, record: &Record) -> String {
    format!("{}|{}|{}", block.account, block.get("UNIQUEID").unwrap_or_default(), record.date)
}

/// A transaction that reverses another refers to it; for each of the two, the other's line.
fn reversed(blocks: &[Block]) -> HashMap<usize, u64> {
    let name = |block: &Block, id: &str| (block.account.clone(), id.to_owned());
    let by_id: HashMap<_, usize> =
        blocks.iter().enumerate().filter_map(|(place, block)| Some((name(block, block.get("FITID")?), place))).collect();
    let mut found = HashMap::new();
    for (place, block) in blocks.iter().enumerate() {
        let other = block.get("REVERSALFITID").and_then(|id| by_id.get(&name(block, id)));
        if let Some(other) = other.filter(|other| **other != place) {
            found.insert(place, blocks[*other].line);
            found.insert(*other, block.line);
        }
    }
    found
}

/// Some brokers start numbering again in every file, or repeat numbers: those do not identify a row.
fn without_repeated_ids(records: &mut [Record]) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for id in records.iter().filter_map(|record| record.id.clone()) {
        *seen.entry(id).or_default() += 1;
    }
    for record in records {
        record.id = record.id.take().filter(|id| seen.get(id) == Some(&1));
    }
}
