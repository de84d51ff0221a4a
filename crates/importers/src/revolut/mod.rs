//! Revolut's investment account statement, in its current format and the one until 2021.

mod event;
mod older;
mod share_count;
mod statement;
mod total;

use crate::reading::Table;
use crate::{Opened, Parsed, Reason};

const STATEMENT: &[&str] = &["date", "ticker", "type", "quantity", "price per share", "total amount", "currency"];
const OLDER: &[&str] = &["trade date", "settle date", "activity type", "symbol", "quantity", "price", "amount"];

/// Other statements of Revolut, by their columns, with the name in the message file.
const OTHERS: &[(&[&str], &str)] = &[
    (&["symbol", "type", "quantity", "price", "value", "fees", "date"], "crypto"),
    (&["date acquired", "date sold", "cost basis", "gross pnl"], "gains"),
    (&["type", "product", "started date", "completed date", "state", "balance"], "account"),
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
    let other = OTHERS.iter().find_map(|(names, statement)| Some((Table::find(file, names)?, statement)));
    match other {
        Some((table, statement)) => {
            let header = table.sheet.row(table.header).map_or(1, |row| row.line());
            Parsed::refused(header, Reason::WrongStatement { statement })
        }
        None => Parsed::refused(1, Reason::header_missing(STATEMENT)),
    }
}
