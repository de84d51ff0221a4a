//! Reports in which each row begins with its section: `Dividends,Header,Currency,…` and below it `Dividends,Data,USD,…`.

use std::collections::HashMap;
use std::rc::Rc;

use super::entry::canonical;
use crate::Opened;
use crate::reading::{Decimals, Row};

/// How far down the first header of a section may be.
const HEADER_WITHIN: usize = 400;

pub struct Line<'a> {
    pub section: &'a str,
    pub row: Row<'a>,
    pub decimals: Decimals,
    /// A total of the rows above it.
    pub total: bool,
    columns: Rc<Vec<String>>,
}

impl<'a> Line<'a> {
    /// Titles and cells, left to right.
    pub fn cells(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.columns.iter().map(String::as_str).zip(self.row.cells().skip(2))
    }

    pub fn cell(&self, name: &str) -> Option<&'a str> {
        let found = self.cells().find(|(column, _)| *column == name).map(|(_, cell)| cell);
        found.filter(|cell| !matches!(*cell, "" | "-" | "--"))
    }
}

pub fn has_section(file: &Opened, names: &[&str]) -> bool {
    let is_header = |row: Row<'_>| row.cell(1) == "Header" && names.contains(&row.cell(0));
    file.sheets.iter().any(|sheet| sheet.rows().take(HEADER_WITHIN).any(is_header))
}

/// The rows of all sections, each with the header above it.
pub fn lines(file: &Opened) -> Vec<Line<'_>> {
    let mut found = Vec::new();
    for sheet in &file.sheets {
        let mut headers: HashMap<&str, Rc<Vec<String>>> = HashMap::new();
        for row in sheet.rows() {
            let (section, kind) = (row.cell(0), row.cell(1));
            if kind == "Header" {
                headers.insert(section, Rc::new(row.cells().skip(2).map(canonical).collect()));
            } else if let (Some(columns), "Data" | "SubTotal" | "Total") = (headers.get(section), kind) {
                let sums = ["Total", "Starting ", "Ending "];
                let total =
                    kind != "Data" || row.cells().skip(2).take(2).any(|cell| sums.iter().any(|sum| cell.starts_with(sum)));
                found.push(Line { section, row, decimals: sheet.decimals, total, columns: Rc::clone(columns) });
            }
        }
    }
    found
}
