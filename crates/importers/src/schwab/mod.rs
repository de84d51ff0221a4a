//! Charles Schwab: the transaction history of a brokerage account, as CSV and as JSON.

mod action;
mod entry;
mod pairs;

use ledger::Decimal;

use crate::reading::fields;
use crate::us_history::{self, Action, Entry};
use crate::{Kind, Opened, Parsed, Reason, Record};
pub use entry::detect;

pub fn parse(file: &Opened) -> Parsed {
    let mut parsed = Parsed::default();
    let mut entries = entry::entries(file, &mut parsed);
    us_history::select(&mut entries, &mut parsed, is_option, |entry| entry.description.clone(), skip_reason);
    pairs::payouts(&mut entries, &mut parsed);
    pairs::reverse_splits(&mut entries, &mut parsed);
    us_history::finish(entries, parsed, record)
}

/// Why a row is skipped.
fn skip_reason(entry: &Entry) -> Option<Reason> {
    let has_shares = entry.quantity.is_some_and(|quantity| !quantity.is_zero());
    match entry.action {
        Action::Short => Some(Reason::ShortSale),
        Action::Cash => Some(Reason::Cash),
        Action::Move if !has_shares => Some(Reason::NoShares),
        Action::Tax if entry.symbol.is_none() => Some(Reason::TaxWithoutDividend),
        Action::CashInLieu if !has_shares => Some(Reason::CashInLieu),
        Action::Unknown if !has_shares && entry.symbol.is_none() => Some(Reason::NoShares),
        _ => None,
    }
}

fn record(entry: &Entry) -> Result<Record, Reason> {
    match entry.action {
        Action::Split => Ok(Record { shares: entry.quantity, ..entry.record(Kind::Split) }),
        Action::Move => Ok(moved(entry, entry.quantity.map(|quantity| quantity.abs()), entry.record(Kind::TransferIn))),
        _ => Err(Reason::unsupported(&entry.words)),
    }
}

fn moved(entry: &Entry, shares: Option<Decimal>, record: Record) -> Record {
    let words = &entry.words;
    if entry.quantity.is_some_and(|quantity| quantity.is_sign_negative()) {
        return Record { kind: Kind::TransferOut, shares, note: fields::short(words), ..record };
    }
    match entry.price {
        Some(_) => Record { shares, price: entry.price, note: fields::short(words), ..record },
        None => {
            let note = Some(format!("{words}: the file does not tell what the shares had cost"));
            let is_free = entry.words.to_lowercase().contains("spin");
            Record { shares, amount: is_free.then_some(Decimal::ZERO), note, ..record }
        }
    }
}

/// `META 06/21/2024 450.00 C`, or in the exchanges' notation: `META  240621C00450000`.
fn is_option(symbol: &str) -> bool {
    let parts: Vec<&str> = symbol.split_whitespace().collect();
    let of_exchange = |part: &str| part.len() == 15 && part.bytes().filter(u8::is_ascii_digit).count() == 14;
    matches!(parts.as_slice(), [_, _, .., "C" | "P"]) || matches!(parts.as_slice(), [_, last] if of_exchange(last))
}
