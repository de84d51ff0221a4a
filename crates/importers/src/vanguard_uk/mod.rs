//! Vanguard UK: cash and investment tables, below each other in a CSV file or on the sheets of a workbook.

mod cash;
mod details;
mod investments;
mod trades;

use crate::reading::{Line, Order, Row, Sheet, Table, day};
use crate::{Opened, Parsed, Reason};
use trades::Trades;

const CASH: [&str; 4] = ["date", "details", "amount", "balance"];
const INVESTMENTS: [&str; 4] = ["date", "transactiondetails", "quantity", "cost"];

pub fn detect(file: &Opened) -> bool {
    file.sheets.iter().any(|sheet| {
        let tables = (0..sheet.len()).filter_map(|at| header(sheet, at));
        tables.take(2).any(|(table, kind)| match kind {
            Kind::Investments => true,
            // Banks use the same titles in their statements.
            Kind::Cash => table.lines().any(|line| line.text("details").is_some_and(details::is_ours)),
        })
    })
}

pub fn parse(file: &Opened) -> Parsed {
    let mut parsed = Parsed::default();
    for sheet in &file.sheets {
        read(sheet, &mut parsed);
    }
    match parsed.rows {
        0 => Parsed::refused(1, Reason::header_missing(&CASH)),
        _ => parsed,
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Cash,
    Investments,
}

fn header(sheet: &Sheet, at: usize) -> Option<(Table<'_>, Kind)> {
    sheet.row(at).filter(|row| row.cell(0).eq_ignore_ascii_case("date"))?;
    let table = Table::at(sheet, at)?;
    match (table.has_all(&CASH), table.has_all(&INVESTMENTS)) {
        (true, _) => Some((table, Kind::Cash)),
        (_, true) => Some((table, Kind::Investments)),
        _ => None,
    }
}

fn read(sheet: &Sheet, parsed: &mut Parsed) {
    let mut current: Option<(Table<'_>, Kind)> = None;
    let mut trades = Trades::default();
    for (at, row) in sheet.rows().enumerate() {
        if let Some(table) = header(sheet, at) {
            current = Some(table);
            continue;
        }
        // Rows above the first table are its title.
        let Some((table, kind)) = &current else { continue };
        parsed.rows += 1;
        if let Some(reason) = between_tables(row) {
            parsed.skip(row.line(), reason);
            continue;
        }
        let line = Line { table, row };
        let read = match kind {
            Kind::Cash => cash::read(line, &mut trades),
            Kind::Investments => investments::read(line, &mut trades),
        };
        match read {
            Ok(Some(reason)) => parsed.skip(row.line(), reason),
            Ok(None) => {}
            Err(reason) => parsed.error(row.line(), reason),
        }
    }
    trades.finish(parsed);
}

/// Totals below a table and titles above the next.
fn between_tables(row: Row<'_>) -> Option<Reason> {
    let first = row.cell(0);
    let alone = row.cells().filter(|cell| !cell.is_empty()).count() == 1;
    let is_day = day("date", first, Order::DayFirst).is_ok();
    match first.to_lowercase().as_str() {
        "balance" | "cost" | "total" => Some(Reason::Total),
        _ if alone && !is_day && !first.is_empty() => Some(Reason::Remark),
        _ => None,
    }
}
