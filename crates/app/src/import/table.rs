//! A table in an unknown format: the titles of its columns, and what they mean.

use importers::generic::{Field, Mapping, suggest};
use importers::{Opened, Reason};

use crate::{Error, refusal};

/// For a form in which the user says which column is which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub header: Vec<String>,
    /// The first rows below the header, three at most.
    pub sample: Vec<Vec<String>>,
    /// The current meaning of the columns: chosen by the user, else suggested by the header. See [`columns_text`].
    pub columns: String,
    /// Field and column, as in `columns`.
    pub taken: Vec<(&'static str, String)>,
    /// What the header leaves unclear.
    pub doubts: Vec<Reason>,
    /// What probably answers it: settings such as `dates` with `day-first`, and columns such as `net` with a title.
    pub likely: Vec<(String, String)>,
}

impl Table {
    /// `None` for a file without a table.
    pub(super) fn of(file: &Opened, chosen: Option<&Mapping>) -> Option<Table> {
        let suggestion = suggest(file)?;
        let doubts = if chosen.is_some() { Vec::new() } else { suggestion.doubts };
        let mapping = chosen.unwrap_or(&suggestion.mapping);
        let taken = mapping.columns.iter().map(|(field, column)| (field.word(), column.clone())).collect();
        let likely = suggestion.likely.into_iter().filter(|_| chosen.is_none()).flatten();
        let likely = likely.filter_map(|text| text.split_once('=').map(|(name, value)| (name.to_owned(), unescaped(value))));
        Some(Table {
            header: suggestion.header,
            sample: suggestion.sample,
            columns: mapping.to_string(),
            taken,
            doubts,
            likely: likely.collect(),
        })
    }
}

fn unescaped(value: &str) -> String {
    value.replace("\\;", ";").replace("\\\\", "\\")
}

/// What a column can mean.
pub fn fields() -> impl Iterator<Item = &'static str> {
    Field::ALL.into_iter().map(Field::word)
}

/// The text that says which column is which: `before`, such as a suggestion with its words and settings, with other columns.
pub fn columns_text(before: &str, columns: &[(String, String)]) -> Result<String, Error> {
    let mut mapping = Mapping::parse(before).unwrap_or_default();
    mapping.columns.clear();
    for (field, column) in columns {
        let known = Field::parse(field).ok_or_else(|| refusal::Import::UnknownColumn { name: field.clone() })?;
        mapping.columns.push((known, column.clone()));
    }
    let reread = Mapping::parse(&mapping.to_string()).map_err(|reason| refusal::Import::ColumnsMalformed { reason })?;
    Ok(reread.to_string())
}
