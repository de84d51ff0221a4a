//! Charles Schwab: the transaction history of a brokerage account, as CSV and as JSON.

mod action;
mod entry;
mod pairs;

use std::collections::HashSet;

use ledger::Decimal;

use crate::joining::payments::Payments;
use crate::joining::{added_shares, adr_fees, moved_shares};
use crate::reading::{bond, fields, us_security};
use crate::{Kind, Opened, Parsed, Reason, Record};
use action::Action;
use entry::Entry;
pub use entry::detect;

pub fn parse(file: &Opened) -> Parsed {
    let mut parsed = Parsed::default();
    let mut entries = entry::entries(file, &mut parsed);
    let bonds: HashSet<String> = entries.iter().filter(|entry| is_bond(entry)).filter_map(|entry| entry.symbol.clone()).collect();
    entries.retain(|entry| match skip_reason(entry, &bonds) {
        Some(reason) => {
            parsed.skip(entry.line, reason);
            false
        }
        None => true,
    });
    pairs::cancelled(&mut entries, &mut parsed);
    pairs::payouts(&mut entries, &mut parsed);
    pairs::reverse_splits(&mut entries, &mut parsed);
    let (adr_fees, entries): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(|entry| entry.action == Action::AdrFee);
    let mut payments = Payments::default();
    for entry in &entries {
        take(entry, &mut payments, &mut parsed);
    }
    parsed.records.extend(payments.finish());
    let of_fee = |entry: &Entry| Record { amount: entry.amount, ..record(entry, Kind::Dividend) };
    adr_fees::charge(adr_fees.iter().map(of_fee).collect(), &mut parsed);
    moved_shares::leave_out(&mut parsed);
    added_shares::work_out(&mut parsed);
    parsed
}

/// Why a row is skipped.
fn skip_reason(entry: &Entry, bonds: &HashSet<String>) -> Option<Reason> {
    let named = entry.symbol.as_deref();
    if entry.action == Action::Option || named.is_some_and(is_option) {
        return Some(Reason::unsupported_asset("option"));
    }
    if named.is_some_and(|symbol| bonds.contains(symbol)) {
        return Some(Reason::unsupported_asset("bond"));
    }
    let has_shares = entry.quantity.is_some_and(|quantity| !quantity.is_zero());
    match entry.action {
        Action::Short => Some(Reason::ShortSale),
        Action::Cash => Some(Reason::Cash),
        Action::Move if !has_shares => Some(Reason::NoShares),
        Action::Tax if named.is_none() => Some(Reason::TaxWithoutDividend),
        Action::CashInLieu if !has_shares => Some(Reason::CashInLieu),
        Action::Unknown if !has_shares && named.is_none() => Some(Reason::NoShares),
        _ => None,
    }
}

fn take(entry: &Entry, payments: &mut Payments, parsed: &mut Parsed) {
    let shares = entry.quantity.map(|quantity| quantity.abs());
    let record = |kind| record(entry, kind);
    let key = format!("{}|{}", entry.symbol.as_deref().unwrap_or_default(), entry.booked);
    match entry.action {
        Action::Buy => parsed.records.push(Record {
            shares,
            price: entry.price,
            amount: entry.amount.map(|amount| amount.abs().saturating_sub(entry.fees.unwrap_or_default())),
            fees: entry.fees,
            ..record(Kind::Buy)
        }),
        Action::Sell | Action::CashInLieu => parsed.records.push(Record {
            shares,
            price: entry.price,
            amount: entry.amount.map(|amount| amount.saturating_add(entry.fees.unwrap_or_default())),
            fees: entry.fees,
            ..record(Kind::Sell)
        }),
        Action::Dividend(note) => {
            let note = note.map(str::to_owned);
            payments.dividend(key, Record { amount: entry.amount, note, ..record(Kind::Dividend) });
        }
        Action::Tax => match entry.amount {
            Some(amount) => payments.tax(key, Decimal::ZERO.saturating_sub(amount), record(Kind::Dividend)),
            None => parsed.error(entry.line, Reason::missing("Amount")),
        },
        Action::ReturnOfCapital => parsed.records.push(Record { amount: entry.amount, ..record(Kind::ReturnOfCapital) }),
        Action::Split => parsed.records.push(Record { shares: entry.quantity, ..record(Kind::Split) }),
        Action::Move => parsed.records.push(moved(entry, shares, record(Kind::TransferIn))),
        _ => parsed.error(entry.line, Reason::unsupported(&entry.words)),
    }
}

fn record(entry: &Entry, kind: Kind) -> Record {
    let mut record = Record::new(entry.line, entry.date, kind);
    us_security::identify(&mut record, entry.symbol.as_deref(), &entry.description);
    record
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
            Record { shares, amount: Some(Decimal::ZERO), note, ..record }
        }
    }
}

/// `META 06/21/2024 450.00 C`, or in the exchanges' notation: `META  240621C00450000`.
fn is_option(symbol: &str) -> bool {
    let parts: Vec<&str> = symbol.split_whitespace().collect();
    let of_exchange = |part: &str| part.len() == 15 && part.bytes().filter(u8::is_ascii_digit).count() == 14;
    matches!(parts.as_slice(), [_, _, .., "C" | "P"]) || matches!(parts.as_slice(), [_, last] if of_exchange(last))
}

fn is_bond(entry: &Entry) -> bool {
    let figures = [entry.quantity, entry.price, entry.amount];
    entry.symbol.as_deref().is_some_and(|symbol| bond::is_bond(symbol, &entry.description, figures))
}
