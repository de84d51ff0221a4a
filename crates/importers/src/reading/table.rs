//! A sheet with its header: cells by column title.

use std::borrow::Cow;
use std::cmp::Ordering;

use ledger::Decimal;

use super::figure::{Decimals, figure};
use super::sheet::Column;
use super::{Opened, Row, Sheet, fields};
use crate::Reason;

/// Headers are near the top: below a title, an address, a disclaimer.
const HEADER_WITHIN: usize = 40;

pub struct Table<'a> {
    pub sheet: &'a Sheet,
    /// The header's index among the sheet's rows.
    pub header: usize,
    columns: Cow<'a, [Column]>,
}

/// A row of a table.
#[derive(Clone, Copy)]
pub struct Line<'t, 'a> {
    pub table: &'t Table<'a>,
    pub row: Row<'a>,
}

impl<'a> Table<'a> {
    /// The table of the file whose header has all these columns, in lowercase.
    pub fn find(file: &'a Opened, names: &[&str]) -> Option<Table<'a>> {
        file.sheets.iter().find_map(|sheet| Table::of(sheet, names))
    }

    pub fn of(sheet: &'a Sheet, names: &[&str]) -> Option<Table<'a>> {
        (0..sheet.len().min(HEADER_WITHIN)).find_map(|at| Table::at(sheet, at).filter(|table| table.has_all(names)))
    }

    /// With the row at that index as its header.
    pub fn at(sheet: &'a Sheet, header: usize) -> Option<Table<'a>> {
        let row = sheet.row(header)?;
        let near_the_top = sheet.headers.get_or_init(|| sheet.rows().take(HEADER_WITHIN).map(columns).collect());
        let columns = near_the_top.get(header).map_or_else(|| columns(row).into(), |known| known.into());
        Some(Table { sheet, header, columns })
    }

    pub fn has_all(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.has(name))
    }

    pub fn has(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    pub fn index(&self, name: &str) -> Option<usize> {
        debug_assert_eq!(name, plain(name), "columns are asked for in lower case");
        let at = self.columns.binary_search_by(|(one, _)| by_length(one, name)).ok()?;
        Some(self.columns[at].1)
    }

    /// The column titles, left to right.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.sheet.row(self.header).into_iter().flat_map(|row| row.cells())
    }

    /// The rows below the header, without blank ones.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_, 'a>> {
        let sheet = self.sheet;
        (self.header + 1..sheet.len()).filter_map(move |at| Some(Line { table: self, row: sheet.row(at)? }))
    }
}

impl<'a> Line<'_, 'a> {
    pub fn number(&self) -> u64 {
        self.row.line()
    }

    /// The cell in that column (lowercase); `None` if it is empty or there is no such column.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.table.index(name).and_then(|index| self.text_at(index))
    }

    /// The cell in the column at that index.
    pub fn text_at(&self, index: usize) -> Option<&'a str> {
        Some(self.row.cell(index)).filter(|text| !text.is_empty())
    }

    /// The first non-empty cell in one of the columns.
    pub fn any(&self, names: &[&str]) -> Option<&'a str> {
        names.iter().find_map(|name| self.text(name))
    }

    /// The ISIN in that column; `None` if it is not a valid ISIN.
    pub fn isin(&self, name: &str) -> Option<String> {
        self.text(name).and_then(|isin| fields::isin(name, isin).ok())
    }

    /// The number in the first of the columns whose cell is not empty.
    pub fn any_figure(&self, names: &[&str]) -> Result<Option<Decimal>, Reason> {
        names.iter().find(|name| self.text(name).is_some()).map_or(Ok(None), |name| self.figure(name))
    }

    pub fn need(&self, name: &str) -> Result<&'a str, Reason> {
        self.text(name).ok_or_else(|| Reason::missing(name))
    }

    /// The number in that column; `None` if the cell is empty, a dash or n/a.
    pub fn figure(&self, name: &str) -> Result<Option<Decimal>, Reason> {
        self.table.index(name).map_or(Ok(None), |index| self.figure_at(index, name))
    }

    /// The number in the column at that index.
    pub fn figure_at(&self, index: usize, name: &str) -> Result<Option<Decimal>, Reason> {
        let text = self.text_at(index).filter(|text| !is_nothing(text));
        text.map(|text| figure(name, text, self.decimals())).transpose()
    }

    pub fn figure_needed(&self, name: &str) -> Result<Decimal, Reason> {
        self.figure(name)?.ok_or_else(|| Reason::missing(name))
    }

    pub fn decimals(&self) -> Decimals {
        self.table.sheet.decimals
    }
}

/// Sorted by [`by_length`]; of equal titles the first.
fn columns(row: Row<'_>) -> Vec<Column> {
    let mut columns: Vec<Column> = row.cells().enumerate().map(|(place, name)| (plain(name), place)).collect();
    columns.sort_by(|(one, _), (other, _)| by_length(one, other));
    columns.dedup_by(|(later, _), (first, _)| later == first);
    columns
}

/// Most titles differ in length alone, which is fast to compare; this is called many times per row.
fn by_length(one: &str, other: &str) -> Ordering {
    one.len().cmp(&other.len()).then_with(|| one.cmp(other))
}

fn is_nothing(text: &str) -> bool {
    matches!(text, "-" | "--" | "–" | "—")
        || ["n/a", "na", "not available", "null", "none"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

fn plain(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_found_by_its_name_and_the_first_of_equal_names_counts() {
        let file = Opened::open(b"Type,Date, Ex  Date,Name,date,Note\nbuy,2024-01-02,2023-12-31,Acme,2025-01-02,x\n").unwrap();
        let table = Table::find(&file, &["type", "date", "ex date", "name", "note"]).unwrap();
        let line = table.lines().next().unwrap();
        let cells = ["type", "date", "ex date", "name", "note", "nope", "notes"].map(|name| line.text(name).unwrap_or("-"));
        assert_eq!(cells, ["buy", "2024-01-02", "2023-12-31", "Acme", "x", "-", "-"]);
    }

    #[test]
    fn a_header_is_read_at_any_line() {
        let title = "Title\n".repeat(HEADER_WITHIN);
        let file = Opened::open(format!("Name,Date\n{title}Date,Name\n2024-01-02,Acme\n").as_bytes()).unwrap();
        let sheet = &file.sheets[0];
        let indexes = |at: usize| Table::at(sheet, at).map(|table| (table.index("date"), table.index("name")));
        assert_eq!(indexes(0), Some((Some(1), Some(0))));
        assert_eq!(indexes(1), Some((None, None)));
        assert_eq!(indexes(HEADER_WITHIN + 1), Some((Some(0), Some(1))), "further down than headers are looked for");
        assert_eq!(indexes(HEADER_WITHIN + 3), None);
        assert_eq!(Table::of(sheet, &["date"]).map(|table| table.header), Some(0));
    }
}
