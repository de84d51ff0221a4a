//! Fidelity: the history of one or more accounts (CSV).

mod reverse_splits;
mod row;
mod verb;

use ledger::Decimal;

use crate::reading::{Table, fields};
use crate::us_history::{self, Action, Entry};
use crate::{Kind, Parsed, Reason, Record};
pub use row::{COLUMNS, table};

pub fn parse(table: &Table<'_>) -> Parsed {
    let mut parsed = Parsed::default();
    let mut entries = row::entries(table, &mut parsed);
    let text = |entry: &Entry| format!("{} {}", entry.words, entry.description);
    us_history::select(&mut entries, &mut parsed, |symbol| symbol.starts_with('-'), text, skip_reason);
    reverse_splits::take_out(&mut entries, &mut parsed);
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
    let amount = if untold { Some(Decimal::ZERO) } else { worth };
    Record { shares, price: entry.price, amount, note, ..entry.record(Kind::TransferIn) }
}
