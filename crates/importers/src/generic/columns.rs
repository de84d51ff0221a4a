//! A row's cells by the meaning a mapping gives them.

use std::collections::HashMap;

use ledger::Decimal;

use super::field::Field;
use super::header::column_index;
use super::looks::is_nothing;
use super::mapping::{Mapping, Meaning, Style};
use super::words;
use crate::Reason;
use crate::reading::{Decimals, Row, Sheet, fields, figure};

pub struct Columns {
    indexes: HashMap<Field, Vec<usize>>,
    pub width: usize,
    pub decimals: Decimals,
    /// For our own export, in which empty cells are empty: a name may be `n/a`.
    literal: bool,
    /// What each word of the type column means: in the mapping, and by itself.
    words: HashMap<String, (Option<Meaning>, Option<Meaning>)>,
}

impl Columns {
    pub fn of(sheet: &Sheet, header: Row<'_>, mapping: &Mapping) -> Columns {
        let mut indexes: HashMap<Field, Vec<usize>> = HashMap::new();
        for (field, column) in &mapping.columns {
            indexes.entry(*field).or_default().extend(column_index(header, column));
        }
        let decimals = mapping.decimals.unwrap_or(sheet.decimals);
        let mut words = HashMap::new();
        let type_column = indexes.get(&Field::Type).and_then(|indexes| indexes.first());
        for cell in type_column.into_iter().flat_map(|column| sheet.rows().map(|row| row.cell(*column))) {
            if !words.contains_key(cell) {
                words.insert(cell.to_owned(), (mapping.meaning(cell), words::meaning(cell)));
            }
        }
        Columns { indexes, width: header.len(), decimals, literal: mapping.style == Style::Dripline, words }
    }

    pub fn has(&self, field: Field) -> bool {
        self.indexes.contains_key(&field)
    }

    pub fn indexes(&self, field: Field) -> &[usize] {
        self.indexes.get(&field).map(Vec::as_slice).unwrap_or_default()
    }

    /// What a word of the type column means: in the mapping, and by itself.
    pub fn meanings(&self, word: &str) -> (Option<Meaning>, Option<Meaning>) {
        self.words.get(word).copied().unwrap_or_default()
    }

    /// `None` if the cell is empty or has a placeholder.
    pub fn text<'a>(&self, row: Row<'a>, field: Field) -> Option<&'a str> {
        let cell = row.cell(*self.indexes(field).first()?);
        Some(cell).filter(|cell| !cell.is_empty() && (self.literal || !is_nothing(cell)))
    }

    /// The figure, or the sum of several columns.
    pub fn figure(&self, row: Row<'_>, field: Field) -> Result<Option<Decimal>, Reason> {
        let mut sum: Option<Decimal> = None;
        for index in self.indexes(field) {
            let cell = row.cell(*index);
            if cell.is_empty() || is_nothing(cell) {
                continue;
            }
            let value = match (self.literal, self.decimals) {
                (true, Decimals::Point) => fields::decimal(field.word(), cell)?,
                _ => figure(field.word(), cell, self.decimals)?,
            };
            let added = sum.unwrap_or_default().checked_add(value).ok_or(Reason::FiguresTooLarge)?;
            sum = Some(if sum.is_none() { value } else { added });
        }
        Ok(sum)
    }

    /// For judging a file: text that is not a number will become an error of its row.
    pub fn figure_if_valid(&self, row: Row<'_>, field: Field) -> Option<Decimal> {
        self.figure(row, field).ok().flatten()
    }

    pub fn names_an_instrument(&self, row: Row<'_>) -> bool {
        [Field::Symbol, Field::Isin, Field::Cusip, Field::Name].iter().any(|field| self.text(row, *field).is_some())
    }

    /// Whether the row has a number of shares other than zero.
    pub fn names_shares(&self, row: Row<'_>) -> bool {
        self.text(row, Field::Shares).is_some() && self.figure_if_valid(row, Field::Shares).is_none_or(|shares| !shares.is_zero())
    }
}
