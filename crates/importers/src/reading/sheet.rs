//! A table of cells with the line of each row, stored compactly: one text, and where its cells end.

use std::sync::OnceLock;

use super::figure::Decimals;

pub const ROWS_MAX: usize = 1_000_000;

#[derive(Debug, Default)]
pub struct Sheet {
    /// Of a workbook's sheet.
    pub name: Option<String>,
    /// How the sheet writes numbers, if a single one is ambiguous.
    pub decimals: Decimals,
    /// The cell separator of a CSV file.
    delimiter: Option<u8>,
    cells: String,
    ends: Vec<u32>,
    rows: Vec<Mark>,
    /// The first rows as headers: every format looks for its own among them.
    pub(super) headers: OnceLock<Vec<Vec<Column>>>,
}

/// A title in lowercase with single spaces, and its column index.
pub(super) type Column = (String, usize);

#[derive(Debug, Clone, Copy)]
struct Mark {
    line: u32,
    /// The index of the row's first cell in `ends`.
    first: u32,
}

#[derive(Clone, Copy)]
pub struct Row<'a> {
    sheet: &'a Sheet,
    at: usize,
}

impl Sheet {
    pub(super) fn named(name: String) -> Sheet {
        Sheet { name: Some(name), ..Sheet::default() }
    }

    pub(super) fn parted_by(delimiter: u8) -> Sheet {
        Sheet { delimiter: Some(delimiter), ..Sheet::default() }
    }

    /// Rows without any text are left out.
    pub(super) fn push<'c>(&mut self, line: u32, cells: impl Iterator<Item = &'c str>) {
        let (text, first) = (self.cells.len(), self.ends.len());
        for cell in cells {
            self.cells.push_str(trimmed(cell));
            self.ends.push(self.cells.len() as u32);
        }
        match self.cells.len() > text {
            true => self.rows.push(Mark { line, first: first as u32 }),
            false => self.ends.truncate(first),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.cells.len() + self.ends.len() * 4
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        (0..self.rows.len()).map(|at| Row { sheet: self, at })
    }

    pub fn row(&self, at: usize) -> Option<Row<'_>> {
        (at < self.rows.len()).then_some(Row { sheet: self, at })
    }

    /// How these columns write numbers in a table of our own, which has no thousands separators: names and notes do not matter,
    /// and commas are decimal marks only if they do not separate cells and no number has a point.
    pub fn decimals_of(&self, columns: &[usize]) -> Decimals {
        let has = |mark: char| self.rows().skip(1).any(|row| columns.iter().any(|column| row.cell(*column).contains(mark)));
        match self.delimiter {
            Some(b',') => Decimals::Point,
            Some(_) if has(',') && !has('.') => Decimals::Comma,
            // A workbook's numbers have points, whatever its texts have.
            None if has(',') => self.decimals,
            _ => Decimals::Point,
        }
    }

    fn cell(&self, place: usize) -> &str {
        let start = if place == 0 { 0 } else { self.ends[place - 1] as usize };
        &self.cells[start..self.ends[place] as usize]
    }
}

/// A fast path: most cells neither begin nor end with a space.
fn trimmed(cell: &str) -> &str {
    let graphic = |end: Option<&u8>| end.is_some_and(u8::is_ascii_graphic);
    let whole = graphic(cell.as_bytes().first()) && graphic(cell.as_bytes().last());
    if whole || cell.is_empty() { cell } else { cell.trim() }
}

impl<'a> Row<'a> {
    /// The row's number in the file, from 1.
    pub fn line(&self) -> u64 {
        u64::from(self.sheet.rows[self.at].line)
    }

    /// Trimmed; empty if the row has no such cell.
    pub fn cell(&self, column: usize) -> &'a str {
        let place = self.sheet.rows[self.at].first as usize + column;
        if place < self.end() { self.sheet.cell(place) } else { "" }
    }

    pub fn len(&self) -> usize {
        self.end() - self.sheet.rows[self.at].first as usize
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn cells(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let sheet = self.sheet;
        (sheet.rows[self.at].first as usize..self.end()).map(|place| sheet.cell(place))
    }

    fn end(&self) -> usize {
        self.sheet.rows.get(self.at + 1).map_or(self.sheet.ends.len(), |next| next.first as usize)
    }
}
