//! The CSV of a Flex query: sections below each other, each with its own header; with `BOS` and `EOS` rows around them, or
//! `HEADER` and `DATA` before each row, if the query is configured so.

use crate::ibkr::book::{Book, Statement};
use crate::ibkr::entry::{Entry, Part, canonical, field};
use crate::reading::{Row, Sheet};
use crate::{Opened, Problem};

/// A header is near the top, at most preceded by the file's own marker.
const HEADER_WITHIN: usize = 40;

pub fn detect(file: &Opened) -> bool {
    file.sheets.iter().any(|sheet| {
        sheet.rows().take(HEADER_WITHIN).any(|row| {
            let marked = row.cell(0) == "BOS" || (row.cell(0) == "HEADER" && row.len() > 2);
            let flex = row.cells().any(|cell| cell.eq_ignore_ascii_case("CurrencyPrimary"));
            (flex && part_of_columns(&names(row, 0)).is_some()) || (marked && begins_with_mark(sheet))
        })
    })
}

fn begins_with_mark(sheet: &Sheet) -> bool {
    sheet.row(0).is_some_and(|row| row.cell(0) == "BOF")
}

#[derive(Default)]
struct Place {
    /// The section announced by `BOS`.
    announced: Option<Option<Part>>,
    columns: Vec<String>,
    part: Option<Part>,
}

pub fn book(file: &Opened) -> Result<Book, Problem> {
    let mut book = Book { statements: vec![Statement::default()], ..Book::default() };
    for sheet in &file.sheets {
        let mut place = Place::default();
        for row in sheet.rows() {
            read(row, sheet, &mut place, &mut book);
        }
    }
    Ok(book)
}

fn read(row: Row<'_>, sheet: &Sheet, place: &mut Place, book: &mut Book) {
    match row.cell(0) {
        "BOF" | "EOF" | "EOA" | "MSG" => *place = Place::default(),
        "BOA" => {
            book.statements.push(Statement { account: row.cell(1).to_owned(), ..Statement::default() });
            *place = Place::default();
        }
        "BOS" => *place = Place { announced: Some(part_of_label(row.cell(1), row.cell(2))), ..Place::default() },
        "EOS" => *place = Place::default(),
        "HEADER" => header(row, 2, place, book),
        "DATA" => data(row, 2, sheet, place, book),
        _ if place.columns.is_empty() || is_header(row) => header(row, 0, place, book),
        _ => data(row, 0, sheet, place, book),
    }
}

fn header(row: Row<'_>, from: usize, place: &mut Place, book: &mut Book) {
    let columns = names(row, from);
    let by_columns = part_of_columns(&columns);
    place.part = match place.announced {
        Some(Some(part)) => Some(part),
        // An unknown label belongs to a section that is not read.
        Some(None) => None,
        None => by_columns,
    };
    place.columns = columns;
    if let Some(part) = place.part.filter(|part| !book.parts.contains(part)) {
        book.parts.push(part);
    }
}

fn data(row: Row<'_>, from: usize, sheet: &Sheet, place: &Place, book: &mut Book) {
    let Some(part) = place.part else { return };
    let mut entry = Entry::new(row.line(), part, book.statements.len().saturating_sub(1), sheet.decimals);
    for (name, value) in place.columns.iter().zip(row.cells().skip(from)) {
        entry.set(name, value);
    }
    book.entries.push(entry);
}

fn names(row: Row<'_>, from: usize) -> Vec<String> {
    row.cells().skip(from).map(canonical).collect()
}

/// A section without markers ends at the next header.
fn is_header(row: Row<'_>) -> bool {
    let known = row.cells().filter(|cell| field(cell).is_some()).count();
    known >= 3 && known * 3 >= row.len()
}

fn part_of_label(code: &str, label: &str) -> Option<Part> {
    let label = label.to_lowercase();
    let starts = |word: &str| label.starts_with(word);
    match code {
        "TRNT" => Some(Part::Trades),
        "CTRN" => Some(Part::Cash),
        "CORP" => Some(Part::Corporate),
        _ if starts("trades") => Some(Part::Trades),
        _ if starts("cash transactions") => Some(Part::Cash),
        _ if starts("corporate actions") => Some(Part::Corporate),
        _ if starts("transfers") => Some(Part::Transfers),
        _ if starts("change in dividend accruals") => Some(Part::ChangeInAccruals),
        _ if starts("open dividend accruals") => Some(Part::OpenAccruals),
        _ if starts("open positions") => Some(Part::OpenPositions),
        _ => None,
    }
}

fn part_of_columns(columns: &[String]) -> Option<Part> {
    let has = |name: &str| columns.iter().any(|column| column == name);
    if has("exdate") && has("paydate") && has("grossrate") {
        return Some(if has("date") || has("reportdate") { Part::ChangeInAccruals } else { Part::OpenAccruals });
    }
    if has("costprice") && has("quantity") && !has("tradeprice") {
        return Some(Part::OpenPositions);
    }
    if has("buysell") || has("tradeprice") {
        return has("quantity").then_some(Part::Trades);
    }
    if has("direction") && has("quantity") {
        return Some(Part::Transfers);
    }
    if has("quantity") && has("proceeds") && (has("value") || has("actiondescription")) {
        return Some(Part::Corporate);
    }
    (has("type") && has("amount") && has("description") && !has("quantity")).then_some(Part::Cash)
}
