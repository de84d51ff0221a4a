//! Trading 212: the history as CSV. Every generation of its header is read by the names of its columns.

mod cells;
mod columns;
mod dividend;
mod ids;
mod split;
mod trade;

use std::collections::HashSet;

use crate::reading::Table;
use crate::{Kind, Opened, Parsed, Record};
use cells::Cells;
use columns::Columns;
use split::Splits;

pub fn detect(file: &Opened) -> bool {
    find(file).is_some()
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(table) = find(file) else { return Parsed::refused(1, "this is not a history of Trading 212") };
    let columns = Columns::of(&table);
    let mut parsed = Parsed::default();
    let mut splits = Splits::default();
    let mut in_pence = HashSet::new();
    for line in table.lines() {
        parsed.rows += 1;
        let cells = Cells::of(&columns, line);
        if cells.is_in_pence() {
            in_pence.insert((cells.isin(), cells.ticker()));
        }
        match read(&cells, &mut splits) {
            Ok(Taken::Record(record)) => parsed.records.push(*record),
            Ok(Taken::Skip(reason)) => parsed.skip(cells.number(), reason),
            Ok(Taken::Kept) => {}
            Err(reason) => parsed.error(cells.number(), reason),
        }
    }
    splits.finish(&mut parsed);
    ids::give(&mut parsed.records);
    // Prices in pence are London's; dividends of the same share come in other currencies, too.
    for record in parsed.records.iter_mut().filter(|_| !in_pence.is_empty()) {
        if in_pence.contains(&(record.isin.clone(), record.ticker.clone())) {
            record.suffix = Some(".L");
        }
    }
    parsed
}

fn find(file: &Opened) -> Option<Table<'_>> {
    file.sheets.iter().find_map(|sheet| {
        let table = Table::of(sheet, &["action"])?;
        let timed = table.has("time") || table.has("time (utc)");
        let of_shares = table.has_all(&["no. of shares", "price / share", "currency (price / share)"]);
        // An export of cash alone has no columns for shares.
        let in_total =
            |name: &str| name.starts_with("Charge amount (") || ["Currency (Total)", "Currency (Gross Total)"].contains(&name);
        let of_cash = table.has("id") && table.names().any(in_total);
        (timed && (of_shares || of_cash)).then_some(table)
    })
}

enum Taken {
    Record(Box<Record>),
    /// Waits for its other half.
    Kept,
    Skip(String),
}

fn read(cells: &Cells<'_, '_, '_>, splits: &mut Splits) -> Result<Taken, String> {
    let action = cells.text("action").ok_or("action is missing")?;
    let plain = action.to_lowercase();
    let taken = |record: Record| Ok(Taken::Record(Box::new(record)));
    if let Some(kind) = dividend::kind_of(&plain) {
        return taken(dividend::dividend(cells, kind)?);
    }
    match plain.as_str() {
        _ if CASH.contains(&plain.as_str()) => Ok(Taken::Skip(format!("{plain}: cash alone"))),
        _ if plain.ends_with(" buy") => taken(trade::trade(cells, Kind::Buy)?),
        _ if plain.ends_with(" sell") => taken(trade::trade(cells, Kind::Sell)?),
        _ if !cells.has_instrument() => Ok(Taken::Skip(format!("{plain}: no shares in it"))),
        "stock split open" => splits.opened(cells),
        "stock split close" => splits.closed(cells),
        "stock distribution" | "custom stock distribution" | "spin off" | "spin-off" | "spinoff" | "demerger" => {
            taken(trade::received(cells, format!("{plain}: shares for nothing"))?)
        }
        "transfer in" | "free share" | "free shares" => taken(trade::trade(cells, Kind::TransferIn)?),
        "transfer out" => taken(trade::trade(cells, Kind::TransferOut)?),
        "stock split" => Err("this row does not tell the ratio of the split; take it out and enter the split by hand".to_owned()),
        _ => Err(format!("\"{action}\" is not known here; take the row out and enter by hand what it did to the shares")),
    }
}

const CASH: &[&str] = &[
    "deposit",
    "withdrawal",
    "interest on cash",
    "lending interest",
    "share lending interest",
    "card debit",
    "card credit",
    "new card cost",
    "spending cashback",
    "currency conversion",
    "result adjustment",
    "adr fee",
];
