//! Fidelity: the history of one or more accounts (CSV).

mod reverse_splits;
mod row;
mod verb;

use std::collections::HashSet;

use ledger::Decimal;

use crate::joining::cancelled_trades::{self, Leg};
use crate::joining::payments::Payments;
use crate::joining::{added_shares, adr_fees, moved_shares};
use crate::reading::{Table, bond, fields};
use crate::{Kind, Parsed, Reason, Record};
use row::Entry;
pub use row::{COLUMNS, table};
use verb::Verb;

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut parsed = Parsed::default();
    let mut entries = row::entries(table, &mut parsed);
    let bonds: HashSet<String> = entries.iter().filter(|entry| is_bond(entry)).filter_map(|entry| entry.symbol.clone()).collect();
    entries.retain(|entry| match skip_reason(entry, &bonds) {
        Some(reason) => {
            parsed.skip(entry.line, reason);
            false
        }
        None => true,
    });
    take_out_cancelled(&mut entries, &mut parsed);
    reverse_splits::take_out(&mut entries, &mut parsed);
    let (fees, entries): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(|entry| entry.verb == Verb::Fee);
    let mut payments = Payments::default();
    for entry in &entries {
        take(entry, &mut payments, &mut parsed);
    }
    parsed.records.extend(payments.finish());
    let of_fee = |entry: &Entry| Record { amount: entry.amount, ..entry.record(Kind::Dividend) };
    adr_fees::charge(fees.iter().map(of_fee).collect(), &mut parsed);
    moved_shares::leave_out(&mut parsed);
    added_shares::work_out(&mut parsed);
    parsed
}

/// Why a row is skipped.
fn skip_reason(entry: &Entry, bonds: &HashSet<String>) -> Option<Reason> {
    let named = entry.symbol.as_deref();
    let is_income = matches!(entry.verb, Verb::Dividend(_) | Verb::Tax | Verb::Fee | Verb::ReturnOfCapital);
    if entry.verb == Verb::Option || named.is_some_and(|symbol| symbol.starts_with('-')) {
        return Some(Reason::unsupported_asset("option"));
    }
    if named.is_some_and(|symbol| bonds.contains(symbol)) {
        return Some(Reason::unsupported_asset("bond"));
    }
    match (entry.verb, named) {
        (Verb::Interest, _) => Some(Reason::Interest),
        (Verb::Short, _) => Some(Reason::ShortSale),
        (Verb::Core, _) => Some(Reason::MoneyMarket),
        (_, Some(symbol)) if !is_income && is_cash(symbol, &entry.description) => Some(Reason::MoneyMarket),
        (Verb::Fee, None) => Some(Reason::AccountFee),
        (Verb::Tax, None) => Some(Reason::TaxWithoutDividend),
        (Verb::Move | Verb::Reorganisation, _) | (Verb::Unknown, None) if entry.quantity.is_none() => Some(Reason::Cash),
        (Verb::InLieu, _) if entry.quantity.is_none() => Some(Reason::CashInLieu),
        _ => None,
    }
}

/// Purchases for the core position are not in every layout of the file, so its shares cannot be tracked.
fn is_cash(symbol: &str, description: &str) -> bool {
    let is_fund = symbol.len() == 5 && symbol.ends_with("XX");
    is_fund || ["FCASH", "CORE"].contains(&symbol) || description.to_uppercase().contains("FDIC INSURED DEPOSIT")
}

fn is_bond(entry: &Entry) -> bool {
    let text = format!("{} {}", entry.action, entry.description);
    let figures = [entry.quantity, entry.price, entry.amount];
    entry.symbol.as_deref().is_some_and(|symbol| bond::is_bond(symbol, &text, figures))
}

fn take_out_cancelled(entries: &mut Vec<Entry>, parsed: &mut Parsed) {
    let leg = |entry: &Entry| {
        let (is_buy, cancels) = match entry.verb {
            Verb::Buy => (true, false),
            Verb::Sell => (false, false),
            Verb::CancelBuy => (true, true),
            Verb::CancelSell => (false, true),
            _ => return None,
        };
        let (line, date, symbol) = (entry.line, entry.date, entry.symbol.clone());
        Some(Leg { line, date, is_buy, cancels, symbol, shares: entry.quantity, price: entry.price })
    };
    cancelled_trades::take_out(entries, leg, parsed);
}

fn take(entry: &Entry, payments: &mut Payments, parsed: &mut Parsed) {
    let key = format!("{}|{}|{}", entry.account, entry.symbol.as_deref().unwrap_or_default(), entry.booked);
    match (entry.verb, entry.quantity) {
        (Verb::Buy, _) => parsed.records.push(trade(entry, Kind::Buy)),
        (Verb::Sell | Verb::InLieu, _) => parsed.records.push(trade(entry, Kind::Sell)),
        (Verb::Dividend(note), _) => {
            let note = note.map(str::to_owned);
            payments.dividend(key, Record { amount: entry.amount, note, ..entry.record(Kind::Dividend) });
        }
        (Verb::Distribution, None) => {
            payments.dividend(key, Record { amount: entry.amount, ..entry.record(Kind::Dividend) });
        }
        (Verb::Tax, _) => match entry.amount {
            Some(amount) => payments.tax(key, Decimal::ZERO.saturating_sub(amount), entry.record(Kind::Dividend)),
            None => parsed.error(entry.line, Reason::missing("Amount")),
        },
        (Verb::ReturnOfCapital, _) => {
            parsed.records.push(Record { amount: entry.amount, ..entry.record(Kind::ReturnOfCapital) });
        }
        (Verb::Distribution, shares) => parsed.records.push(Record { shares, ..entry.record(Kind::Split) }),
        (Verb::Reorganisation, Some(shares)) if shares.is_sign_negative() && entry.amount.is_some() => {
            parsed.records.push(trade(entry, Kind::Sell));
        }
        (Verb::Spinoff | Verb::Move | Verb::Reorganisation, Some(shares)) => parsed.records.push(moved(entry, shares)),
        _ => {
            let action = fields::short(&entry.action).unwrap_or_default();
            parsed.error(entry.line, Reason::unsupported(action));
        }
    }
}

fn trade(entry: &Entry, kind: Kind) -> Record {
    let fees = entry.fees.unwrap_or_default();
    let gross = entry.amount.map(|amount| match kind {
        Kind::Buy => amount.abs().saturating_sub(fees),
        _ => amount.saturating_add(fees),
    });
    let shares = entry.quantity.map(|quantity| quantity.abs());
    Record { shares, price: entry.price, amount: gross, fees: entry.fees, ..entry.record(kind) }
}

fn moved(entry: &Entry, quantity: Decimal) -> Record {
    let shares = Some(quantity.abs());
    if quantity.is_sign_negative() {
        return Record { shares, note: fields::short(&entry.action), ..entry.record(Kind::TransferOut) };
    }
    // For shares added without a trade, the amount is their value.
    let worth = entry.amount.map(|amount| amount.abs());
    let action = fields::short(&entry.action).unwrap_or_default();
    let untold = worth.is_none() && entry.price.is_none();
    let note = if untold { fields::short(&format!("cost not told: {action}")) } else { Some(action) };
    let amount = if untold { Some(Decimal::ZERO) } else { worth };
    Record { shares, price: entry.price, amount, note, ..entry.record(Kind::TransferIn) }
}
