//! Fidelity: the history of one or more accounts (CSV).

mod row;
mod verb;
pub use row::{COLUMNS, table};

use std::collections::BTreeMap;

use ledger::Decimal;

use crate::joining::split_ratio;
use crate::reading::{Table, fields, us_security};
use crate::us_history::{self, Action, Entry};
use crate::{Kind, Parsed, Reason, Record};

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut parsed = Parsed::default();
    let mut entries = row::entries(table, &mut parsed);
    let text = |entry: &Entry| format!("{} {}", entry.words, entry.description);
    us_history::select(&mut entries, &mut parsed, |symbol| symbol.starts_with('-'), text, skip_reason);
    take_out_reverse_splits(&mut entries, &mut parsed);
    // Without shares, a distribution is cash.
    let in_cash = |entry: &&mut Entry| entry.action == Action::Split && entry.quantity.is_none();
    entries.iter_mut().filter(in_cash).for_each(|entry| entry.action = Action::Dividend(None));
    us_history::finish(entries, parsed, record)
}

/// Why a row is skipped.
fn skip_reason(entry: &Entry) -> Option<Reason> {
    let named = entry.symbol.as_deref();
    let is_income = matches!(entry.action, Action::Dividend(_) | Action::Tax | Action::Fee | Action::ReturnOfCapital);
    match (entry.action, named) {
        (Action::Interest, _) => Some(Reason::Interest),
        (Action::Short, _) => Some(Reason::ShortSale),
        (Action::Core, _) => Some(Reason::MoneyMarket),
        (_, Some(symbol)) if !is_income && is_cash(symbol, &entry.description) => Some(Reason::MoneyMarket),
        (Action::Fee, None) => Some(Reason::AccountFee),
        (Action::Tax, None) => Some(Reason::TaxWithoutDividend),
        (Action::Move | Action::Reorganisation, _) | (Action::Unknown, None) if entry.quantity.is_none() => Some(Reason::Cash),
        (Action::CashInLieu, _) if entry.quantity.is_none() => Some(Reason::CashInLieu),
        _ => None,
    }
}

/// Purchases for the core position are not in every layout of the file, so its shares cannot be tracked.
fn is_cash(symbol: &str, description: &str) -> bool {
    let is_fund = symbol.len() == 5 && symbol.ends_with("XX");
    is_fund || ["FCASH", "CORE"].contains(&symbol) || description.to_uppercase().contains("FDIC INSURED DEPOSIT")
}

fn record(entry: &Entry) -> Result<Record, Reason> {
    match (entry.action, entry.quantity) {
        (Action::Split, shares) => Ok(Record { shares, ..entry.record(Kind::Split) }),
        (Action::Reorganisation, Some(shares)) if shares.is_sign_negative() && entry.amount.is_some() => {
            Ok(entry.trade(Kind::Sell))
        }
        (Action::Spinoff | Action::Move | Action::Reorganisation, Some(shares)) => Ok(moved(entry, shares)),
        _ => Err(Reason::unsupported(fields::short(&entry.words).unwrap_or_default())),
    }
}

fn moved(entry: &Entry, quantity: Decimal) -> Record {
    let shares = Some(quantity.abs());
    if quantity.is_sign_negative() {
        return Record { shares, note: fields::short(&entry.words), ..entry.record(Kind::TransferOut) };
    }
    // For shares added without a trade, the amount is their value.
    let worth = entry.amount.map(|amount| amount.abs());
    let action = fields::short(&entry.words).unwrap_or_default();
    let untold = worth.is_none() && entry.price.is_none();
    let note = if untold { fields::short(&format!("cost not told: {action}")) } else { Some(action) };
    let is_unknown = untold && entry.action == Action::Move;
    let amount = if untold && !is_unknown { Some(Decimal::ZERO) } else { worth };
    Record { shares, price: entry.price, amount, note, ..entry.record(Kind::TransferIn) }
}

/// Old shares are removed and new ones added, in rows that share the number of the reorganisation.
fn take_out_reverse_splits(entries: &mut Vec<Entry>, parsed: &mut Parsed) {
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
