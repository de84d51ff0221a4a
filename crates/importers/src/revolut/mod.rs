//! Revolut's statement of an investment account, as it is written today and as it was written until 2021.

mod event;
mod held;
mod kind;
mod older;
mod statement;
mod total;

use crate::reading::Table;
use crate::{Opened, Parsed};

const STATEMENT: &[&str] = &["date", "ticker", "type", "quantity", "price per share", "total amount", "currency"];
const OLDER: &[&str] = &["trade date", "settle date", "activity type", "symbol", "quantity", "price", "amount"];

/// Other files of Revolut: what tells them, and what to do about them.
const OTHERS: &[(&[&str], &str)] = &[
    (
        &["symbol", "type", "quantity", "price", "value", "fees", "date"],
        "this is Revolut's statement of crypto currencies, which pay no dividends and are not kept here; export the account statement of Invest",
    ),
    (
        &["date acquired", "date sold", "cost basis", "gross pnl"],
        "this is Revolut's profit and loss statement, which has no purchases; export the account statement of Invest (Excel or CSV)",
    ),
    (
        &["type", "product", "started date", "completed date", "state", "balance"],
        "this is the statement of a Revolut current account, which has no trades; export the account statement of Invest",
    ),
];

pub fn detect(file: &Opened) -> bool {
    let names = [STATEMENT, OLDER].into_iter().chain(OTHERS.iter().map(|(names, _)| *names));
    names.into_iter().any(|names| Table::find(file, names).is_some())
}

pub fn parse(file: &Opened) -> Parsed {
    if let Some(table) = Table::find(file, STATEMENT) {
        return statement::parse(&table);
    }
    if let Some(table) = Table::find(file, OLDER) {
        return older::parse(&table);
    }
    let other = OTHERS.iter().find_map(|(names, reason)| Some((Table::find(file, names)?, reason)));
    match other {
        Some((table, reason)) => {
            let header = table.sheet.row(table.header).map_or(1, |row| row.line());
            Parsed::refused(header, *reason)
        }
        None => Parsed::refused(1, "the columns of a Revolut statement (Date, Ticker, Type, Quantity, …) are not in this file"),
    }
}
