//! The table of cash operations, with column titles in the user's language.

use ledger::Currency;

use crate::Opened;
use crate::reading::{Sheet, Table, Words};

static COLUMNS: Words = Words::new(include_str!("columns.txt"));

/// Headers are below the account's name and number.
const HEADER_WITHIN: usize = 40;

/// A table and the titles of its columns.
pub struct Operations<'a> {
    pub table: Table<'a>,
    pub kind: &'static str,
    pub time: &'static str,
    pub symbol: &'static str,
    pub comment: &'static str,
    pub amount: &'static str,
}

impl<'a> Operations<'a> {
    pub fn find(file: &'a Opened) -> Option<Operations<'a>> {
        file.sheets
            .iter()
            .find_map(|sheet| (0..sheet.len().min(HEADER_WITHIN)).find_map(|row| Operations::in_table(Table::at(sheet, row)?)))
    }

    fn in_table(table: Table<'a>) -> Option<Operations<'a>> {
        let named = |column: &str| COLUMNS.words_for(column).iter().find(|name| table.has(name)).copied();
        let (kind, time, symbol) = (named("type")?, named("time")?, named("symbol")?);
        let (comment, amount) = (named("comment")?, named("amount")?);
        // A table with separate columns for shares and prices is another broker's.
        let other = ["quantity", "shares", "price"].iter().any(|name| table.has(name));
        (table.has("id") && !other).then_some(())?;
        Some(Operations { table, kind, time, symbol, comment, amount })
    }

    /// The account's currency, if it is above the table: below its label in a workbook, next to it elsewhere.
    pub fn currency(&self) -> Option<Currency> {
        (0..self.table.header).find_map(|at| currency_at(self.table.sheet, at))
    }
}

fn currency_at(sheet: &Sheet, at: usize) -> Option<Currency> {
    let row = sheet.row(at)?;
    let label = row
        .cells()
        .position(|cell| COLUMNS.words_for("currency").contains(&cell.trim_end_matches(':').to_lowercase().as_str()))?;
    let below = sheet.row(at + 1).map(|below| below.cell(label)).and_then(|text| Currency::parse(text).ok());
    below.or_else(|| row.cells().skip(label + 1).find_map(|text| Currency::parse(text).ok()))
}
