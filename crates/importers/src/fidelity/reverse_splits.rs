//! Reverse splits: old shares are removed and new ones added, in rows that share the number of the reorganisation.

use std::collections::BTreeMap;

use ledger::Decimal;

use crate::joining::split_ratio;
use crate::reading::us_security;
use crate::us_history::{Action, Entry};
use crate::{Kind, Parsed, Reason, Record};

pub fn take_out(entries: &mut Vec<Entry>, parsed: &mut Parsed) {
    let mut groups: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| entry.action == Action::ReverseSplit) {
        groups.entry(format!("{}|{}", entry.date, reorganisation(entry))).or_default().push(entry);
    }
    for group in groups.into_values() {
        match consolidation(&group) {
            Some(record) => parsed.records.push(record),
            None => {
                for entry in group {
                    parsed.error(entry.line, Reason::SplitRatioUnknown);
                }
            }
        }
    }
    entries.retain(|entry| entry.action != Action::ReverseSplit);
}

/// `R/S FROM 517103404#REOR M0051311040001 …`: the last four digits number the rows.
fn reorganisation(entry: &Entry) -> String {
    let number = entry.words.split_once("#REOR ").and_then(|(_, rest)| rest.split(' ').next()).unwrap_or_default();
    number.chars().take(number.chars().count().saturating_sub(4)).collect()
}

/// The user's accounts have the same split, so their shares are added up.
fn consolidation(group: &[&Entry]) -> Option<Record> {
    let sum = |out: bool| {
        let shares = group.iter().filter_map(|entry| entry.quantity).filter(|quantity| quantity.is_sign_negative() == out);
        shares.reduce(Decimal::saturating_add).map(|sum| sum.abs())
    };
    let ratio = split_ratio::of_exchange(sum(true)?, sum(false)?)?;
    let named = group.iter().find(|entry| entry.symbol.as_deref().is_some_and(|symbol| !us_security::is_number(symbol)))?;
    let joined = group.iter().map(|entry| entry.line).filter(|line| *line != named.line).collect();
    Some(Record { ratio: Some(ratio), joined, ..named.record(Kind::Split) })
}
