//! The cells of a list: separated as in its file, or by spaces.

use ledger::Decimal;

use crate::reading::{Decimals, Sheet, figure};
use crate::{Opened, Reason};

pub struct Grid<'a> {
    pub rows: Vec<Cells<'a>>,
    /// `None` if no number shows it.
    decimals: Option<Decimals>,
}

pub struct Cells<'a> {
    pub line: u64,
    pub cells: Vec<&'a str>,
}

impl<'a> Grid<'a> {
    pub fn of_sheet(sheet: &'a Sheet, rows_max: usize) -> Grid<'a> {
        let rows = sheet.rows().take(rows_max).map(|row| Cells { line: row.line(), cells: row.cells().collect() });
        let known = Some(sheet.decimals).filter(|decimals| *decimals == Decimals::Comma);
        Grid::of(rows.collect(), known)
    }

    /// The words of each line, whatever cells the file seems to have.
    pub fn of_words(file: &'a Opened, rows_max: usize) -> Grid<'a> {
        let words = |(line, text): (u64, &'a str)| Cells { line, cells: text.split_whitespace().collect() };
        let written = (1..).zip(file.text.lines()).map(words).filter(|row| !row.cells.is_empty());
        let of_workbook = file.sheets.iter().filter(|_| file.text.is_empty()).flat_map(Sheet::rows);
        let in_cells =
            of_workbook.map(|row| Cells { line: row.line(), cells: row.cells().flat_map(str::split_whitespace).collect() });
        Grid::of(written.chain(in_cells).take(rows_max).collect(), None)
    }

    fn of(rows: Vec<Cells<'a>>, known: Option<Decimals>) -> Grid<'a> {
        let decimals = known.or_else(|| Decimals::sniff(rows.iter().flat_map(|row| row.cells.iter().copied())));
        Grid { rows, decimals }
    }

    /// The number, unless the list leaves open which of two it is.
    pub fn figure(&self, name: &str, text: &str) -> Result<Decimal, Reason> {
        let read = |decimals| figure(name, text, decimals);
        match self.decimals {
            Some(decimals) => read(decimals),
            None => match (read(Decimals::Point), read(Decimals::Comma)) {
                (Ok(one), Ok(other)) if one != other => Err(Reason::DecimalMark { text: text.into() }),
                (Ok(one), _) | (Err(_), Ok(one)) => Ok(one),
                (Err(reason), Err(_)) => Err(reason),
            },
        }
    }
}

impl<'a> Cells<'a> {
    /// `None` if the cell is empty or has a placeholder.
    pub fn text(&self, column: usize) -> Option<&'a str> {
        self.cells.get(column).copied().filter(|cell| !cell.is_empty() && !matches!(*cell, "-" | "--" | "–" | "n/a" | "N/A"))
    }

    pub fn texts(&self) -> impl Iterator<Item = &'a str> {
        (0..self.cells.len()).filter_map(|column| self.text(column))
    }
}
