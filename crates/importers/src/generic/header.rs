//! Finds a table's header, and which of its columns is which.

use std::collections::{BTreeMap, HashSet};

use super::field::Field;
use super::looks::{is_currency, is_day, is_figure, is_isin, is_nothing, is_ticker, is_type, unit};
use super::mapping::Mapping;
use super::names::{fits, is_about_costs, is_money, parted, plain, without_currency};
use super::text::collapsed;
use crate::Opened;
use crate::reading::{Row, Sheet};

const HEADER_WITHIN: usize = 40;
const COLUMNS_MAX: usize = 500;
/// Rows below a header that are examined to learn what its columns contain.
const LOOKED_AT: usize = 200;

/// A sheet's header row, and what its columns seem to mean.
pub struct Header<'a> {
    pub sheet: &'a Sheet,
    /// Its index among the sheet's rows.
    pub at: usize,
    pub found: BTreeMap<usize, Field>,
    /// Columns of money whose titles do not say whether before or after fees and tax; the likeliest first.
    pub money: Vec<usize>,
    /// Date columns that no title distinguishes.
    pub days: Vec<usize>,
}

impl<'a> Header<'a> {
    /// The header of the file: of a table that can be read, else of anything that looks like a table.
    pub fn find(file: &'a Opened) -> Option<Header<'a>> {
        let candidates = || {
            file.sheets.iter().flat_map(|sheet| (0..sheet.len().min(HEADER_WITHIN)).filter_map(move |at| Header::at(sheet, at)))
        };
        candidates().find(Header::is_enough).or_else(|| candidates().find(|header| header.sheet.len() > header.at + 1))
    }

    /// For a mapping's own columns: the first row that has them all.
    pub fn with(file: &'a Opened, mapping: &Mapping) -> Option<(&'a Sheet, usize)> {
        file.sheets.iter().find_map(|sheet| {
            let has_all = |at: &usize| {
                let Some(row) = sheet.row(*at).filter(|row| row.len() <= COLUMNS_MAX) else { return false };
                let by_name = mapping.columns.iter().all(|(_, column)| column_index(row, column).is_some());
                by_name && (mapping.columns.iter().any(|(_, column)| number(column).is_none()) || is_header(row))
            };
            (0..sheet.len().min(HEADER_WITHIN)).find(has_all).map(|at| (sheet, at))
        })
    }

    fn at(sheet: &'a Sheet, at: usize) -> Option<Header<'a>> {
        let row = sheet.row(at).filter(|row| is_header(*row))?;
        let mut header = Header { sheet, at, found: BTreeMap::new(), money: Vec::new(), days: Vec::new() };
        header.by_name(row);
        header.by_content(row.len());
        Some(header)
    }

    /// A date, an instrument, and shares or money: the minimum for a ledger.
    pub fn is_enough(&self) -> bool {
        let has = |field: Field| self.found.values().any(|found| *found == field);
        (has(Field::Date) || !self.days.is_empty())
            && self.found.values().any(|field| field.names_an_instrument())
            && (has(Field::Shares) || has(Field::Amount) || has(Field::Net) || !self.money.is_empty())
    }

    pub fn line(&self) -> u64 {
        self.sheet.row(self.at).map_or(1, |row| row.line())
    }

    pub fn rows(&self) -> impl Iterator<Item = Row<'a>> + use<'a> {
        let (sheet, at) = (self.sheet, self.at);
        (at + 1..sheet.len()).filter_map(move |at| sheet.row(at))
    }

    pub fn cells(&self, column: usize) -> impl Iterator<Item = &'a str> {
        self.rows().map(move |row| row.cell(column)).filter(|cell| !cell.is_empty() && !is_nothing(cell))
    }

    pub fn names(&self) -> Vec<String> {
        self.sheet.row(self.at).into_iter().flat_map(|row| row.cells()).map(collapsed).collect()
    }

    /// How a mapping refers to the column: by its title, or by its position if the title is missing or not unique.
    pub fn call(&self, column: usize) -> String {
        let Some(row) = self.sheet.row(self.at) else { return String::new() };
        let name = collapsed(row.cell(column));
        match column_index(row, &name) == Some(column) && number(&name).is_none() {
            true => name,
            false => format!("#{}", column + 1),
        }
    }

    fn by_name(&mut self, row: Row<'_>) {
        let names: Vec<String> = row.cells().map(known_name).collect();
        for field in Field::ALL {
            let mut fitting: Vec<(usize, usize)> = names
                .iter()
                .enumerate()
                .filter(|(column, _)| !self.found.contains_key(column))
                .filter_map(|(column, name)| Some((fits(field, name)?, column)))
                .filter(|(_, column)| self.holds(field, *column))
                .collect();
            fitting.sort_unstable();
            let several = if field.adds_up() { fitting.len() } else { 1 };
            self.found.extend(fitting.iter().take(several).map(|(_, column)| (*column, field)));
        }
        let mut money: Vec<(usize, usize)> = names
            .iter()
            .enumerate()
            .filter(|(column, name)| {
                let numbered = *name == "valor" && self.cells(*column).take(LOOKED_AT).all(is_swiss_number);
                !self.found.contains_key(column) && self.holds(Field::Amount, *column) && !numbered
            })
            .filter_map(|(column, name)| Some((is_money(name)?, column)))
            .collect();
        money.sort_unstable();
        self.money = money.into_iter().map(|(_, column)| column).collect();
    }

    /// Whether the column's content can have that meaning.
    fn holds(&self, field: Field, column: usize) -> bool {
        let mut cells = self.cells(column).take(LOOKED_AT).peekable();
        match field {
            Field::Date | Field::ExDate => cells.peek().is_none() || cells.any(is_day),
            Field::Time => cells.peek().is_none() || cells.any(|cell| !is_day(cell)),
            Field::Name | Field::Type => cells.peek().is_none() || cells.any(|cell| !is_figure(cell) && !is_day(cell)),
            Field::Currency => cells.peek().is_none() || cells.any(|cell| unit(cell).is_ok()),
            field if field.is_figure() => cells.peek().is_none() || cells.any(is_figure),
            _ => true,
        }
    }

    /// Dates, ISINs and currencies are recognised by their appearance.
    fn by_content(&mut self, width: usize) {
        self.symbols_that_are_isins();
        let free = |header: &Header<'_>, is: fn(&str) -> bool| -> Vec<usize> {
            let all = |column: &usize| {
                let mut cells = header.cells(*column).take(LOOKED_AT).peekable();
                cells.peek().is_some() && cells.all(is)
            };
            (0..width).filter(|column| !header.found.contains_key(column)).filter(all).collect()
        };
        if !self.has(Field::Date) {
            self.days = free(self, is_day);
            if let [only] = self.days.as_slice() {
                self.found.insert(*only, Field::Date);
                self.days.clear();
            }
        }
        if let ([only], false) = (free(self, is_isin).as_slice(), self.has(Field::Isin)) {
            self.found.insert(*only, Field::Isin);
        }
        let names: Vec<String> = self.names().iter().map(|name| plain(&parted(name))).collect();
        let mut currencies = free(self, is_currency);
        currencies.retain(|column| names.get(*column).is_none_or(|name| !is_about_costs(name)));
        if let ([first, others @ ..], false) = (currencies.as_slice(), self.has(Field::Currency)) {
            // Each amount may have a currency column next to it; if all agree, there is only one currency in a row.
            if self.rows().all(|row| others.iter().all(|other| row.cell(*other) == row.cell(*first))) {
                self.found.insert(*first, Field::Currency);
            }
        }
        if let ([only], false) = (free(self, is_type).as_slice(), self.has(Field::Type)) {
            self.found.insert(*only, Field::Type);
        }
        let tickers = |column: usize| self.cells(column).take(LOOKED_AT).all(is_ticker);
        let name = self.found.iter().find(|(_, field)| **field == Field::Name).map(|(column, _)| *column);
        if let Some(column) = name.filter(|column| !self.has(Field::Symbol) && !self.has(Field::Isin) && tickers(*column)) {
            self.found.insert(column, Field::Symbol);
        }
    }

    /// Some brokers write the ISIN where others write the ticker or the name.
    fn symbols_that_are_isins(&mut self) {
        if self.has(Field::Isin) {
            return;
        }
        let named: Vec<usize> = self
            .found
            .iter()
            .filter(|(_, field)| matches!(field, Field::Symbol | Field::Name))
            .map(|(column, _)| *column)
            .collect();
        let isins = named.into_iter().find(|column| {
            let mut cells = self.cells(*column).take(LOOKED_AT).peekable();
            cells.peek().is_some() && cells.all(is_isin)
        });
        if let Some(column) = isins {
            self.found.insert(column, Field::Isin);
        }
    }

    pub fn has(&self, field: Field) -> bool {
        self.found.values().any(|found| *found == field)
    }

    pub fn column(&self, field: Field) -> Option<usize> {
        self.found.iter().find(|(_, found)| **found == field).map(|(column, _)| *column)
    }
}

/// The title without its currency, split into words if it is written as one.
fn known_name(name: &str) -> String {
    let (bare, _) = without_currency(name);
    let is_known = |name: &str| is_money(name).is_some() || Field::ALL.iter().any(|field| fits(*field, name).is_some());
    let parted = plain(&parted(name));
    if !is_known(&bare) && is_known(&parted) { parted } else { bare }
}

/// For a security in Switzerland (Valor), where the word does not mean an amount.
fn is_swiss_number(cell: &str) -> bool {
    (5..=9).contains(&cell.len()) && cell.bytes().all(|byte| byte.is_ascii_digit())
}

/// Texts that are all different, except for blanks: neither numbers nor dates.
fn is_header(row: Row<'_>) -> bool {
    if row.len() > COLUMNS_MAX {
        return false;
    }
    let mut seen = HashSet::new();
    let texts = row.cells().filter(|cell| !cell.is_empty()).all(|cell| {
        seen.insert(plain(cell));
        !is_figure(cell) && !is_day(cell) && !is_isin(cell)
    });
    texts && seen.len() >= 2
}

/// The index of the column that a mapping refers to.
pub fn column_index(header: Row<'_>, called: &str) -> Option<usize> {
    let name = plain(called);
    let by_name = header.cells().position(|cell| !cell.is_empty() && plain(cell) == name);
    by_name.or_else(|| number(called).filter(|number| *number < header.len().max(1)))
}

fn number(called: &str) -> Option<usize> {
    called.strip_prefix('#')?.parse::<usize>().ok()?.checked_sub(1)
}
