//! Any table with a date, an instrument, and shares or an amount: read with a mapping that is suggested, shown to the user, and
//! stored by the caller under the table's fingerprint. Nothing is guessed: ambiguities become questions.

mod columns;
mod currency;
mod evidence;
mod field;
mod header;
mod likely;
pub(crate) mod looks;
mod mapping;
mod money;
pub(crate) mod names;
mod ratio;
mod read;
mod settings;
mod suggest;
mod text;
mod types;
mod words;
mod write;

use sha2::{Digest, Sha256};

pub use crate::reading::{Decimals, Order};
pub use field::Field;
pub use mapping::{Costs, DefaultCurrency, Mapping, Meaning, Ratios, Style};
pub use suggest::{Suggestion, suggest};
pub use write::write;

use crate::reading::{Row, Sheet};
use crate::rows::Rows;
use crate::{Opened, Parsed, Reason};
use columns::Columns;
use header::Header;
use ledger::{Decimal, Kind};
use read::Reader;

pub fn detect(file: &Opened) -> bool {
    Header::find(file).is_some_and(|header| header.is_enough())
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(suggestion) = suggest(file) else { return Parsed::refused(1, Reason::NoTable) };
    if suggestion.doubts.is_empty() {
        return parse_with(file, &suggestion.mapping);
    }
    let line = Header::find(file).map_or(1, |header| header.line());
    let mut parsed = Parsed::refused(line, Reason::OpenQuestions { questions: suggestion.doubts });
    for row in file.sheets.iter().flat_map(Sheet::rows).filter(|row| row.line() > line) {
        parsed.rows += 1;
        parsed.skip(row.line(), Reason::NotYetRead);
    }
    parsed
}

/// The line of the header, if the file has a table that can be read.
pub(crate) fn table_line(file: &Opened) -> Option<u64> {
    Header::find(file).filter(Header::is_enough).map(|header| header.line())
}

/// A key of the column titles in any order.
pub fn fingerprint(file: &Opened) -> Option<String> {
    let mut names: Vec<String> =
        Header::find(file)?.names().iter().map(|name| names::plain(name)).filter(|name| !name.is_empty()).collect();
    names.sort_unstable();
    let digest = Sha256::digest(names.join("\u{1f}").as_bytes());
    Some(digest[..16].iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Reads with the mapping, and asks nothing. [`read_with`] checks for missing values.
fn parse_with(file: &Opened, mapping: &Mapping) -> Parsed {
    if let Some(field) = lacks(mapping) {
        return Parsed::refused(1, Reason::WhichColumn { field });
    }
    let Some((sheet, at)) = Header::with(file, mapping) else { return Parsed::refused(1, not_found(file, mapping)) };
    let Some(header) = sheet.row(at) else { return Parsed::refused(1, Reason::NoTable) };
    let rows = || (at + 1..sheet.len()).filter_map(|at| sheet.row(at));
    let reader = reader(sheet, header, rows, mapping);
    let mut read = Rows::default();
    for row in rows() {
        read.add(row.line(), reader.read(row));
    }
    let mut parsed = read.finish();
    parsed.records.sort_by_key(|record| record.line);
    parsed
}

/// Like [`crate::Format`]: checked, and in chronological order.
pub fn read_with(file: &Opened, mapping: &Mapping) -> Parsed {
    let format = crate::file("generic", detect, parse);
    format.read_by(file, |file| parse_with(file, mapping))
}

fn reader<'a, 'm, I: Iterator<Item = Row<'a>>>(
    sheet: &Sheet,
    header: Row<'_>,
    rows: impl Fn() -> I,
    mapping: &'m Mapping,
) -> Reader<'m> {
    let columns = Columns::of(sheet, header, mapping);
    let below = |row: Row<'_>, field: Field| columns.figure_if_valid(row, field).is_some_and(|figure| figure < Decimal::ZERO);
    let is = |row: Row<'_>, kind: Kind| types::meaning(mapping, &columns, row) == Some(Meaning::Kind(kind));
    let sales_below_zero = rows().any(|row| is(row, Kind::Sell) && below(row, Field::Shares));
    let money_signed = rows().any(|row| below(row, Field::Amount) || below(row, Field::Net));
    let costs = mapping.costs.or_else(|| money::costs(rows(), &columns, mapping).ok().flatten()).unwrap_or(Costs::Positive);
    Reader { mapping, columns, costs, sales_below_zero, money_signed }
}

fn lacks(mapping: &Mapping) -> Option<&'static str> {
    match () {
        () if !mapping.has(Field::Date) => Some("date"),
        () if !mapping.has_any(&[Field::Symbol, Field::Isin, Field::Cusip, Field::Name]) => Some("security"),
        () if !mapping.has_any(&[Field::Shares, Field::Amount, Field::Net, Field::Price]) => Some("figures"),
        () => None,
    }
}

/// The first column of the mapping that the file does not have.
fn not_found(file: &Opened, mapping: &Mapping) -> Reason {
    let names = Header::find(file).map(|header| header.names()).unwrap_or_default();
    let has = |column: &str| names.iter().any(|name| names::plain(name) == names::plain(column));
    let columns: Vec<&str> = mapping.columns.iter().map(|(_, column)| column.as_str()).collect();
    match columns.iter().find(|column| !has(column)) {
        Some(name) => Reason::ColumnMissing { name: (*name).into() },
        None => Reason::header_missing(&columns),
    }
}
