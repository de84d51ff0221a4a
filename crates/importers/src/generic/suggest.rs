//! What a table's columns, words and figures seem to mean, and what only the user can say.

use super::columns::Columns;
use super::field::Field;
use super::header::Header;
use super::mapping::{Mapping, Meaning, Style};
use super::{currency, evidence, likely, money, types, write};
use crate::{Kind, Opened, Reason};

pub struct Suggestion {
    pub mapping: Mapping,
    pub header: Vec<String>,
    /// The first rows below the header, three at most.
    pub sample: Vec<Vec<String>>,
    /// Questions; as long as one is open, the file is not read.
    pub doubts: Vec<Reason>,
    /// The likeliest answer to each question as a setting, such as `dates=day-first`; `None` if nothing speaks for one.
    pub likely: Vec<Option<String>>,
}

/// `None` for a file without a table.
pub fn suggest(file: &Opened) -> Option<Suggestion> {
    let header = Header::find(file)?;
    let names = header.names();
    let sample = header.rows().take(3).map(|row| row.cells().map(str::to_owned).collect()).collect();
    let (mapping, doubts) = match own(&header) {
        Some(mapping) => (mapping, Vec::new()),
        None => someones(&header),
    };
    let likely = doubts.iter().map(|doubt| likely::answer(doubt, &header, &mapping)).collect();
    Some(Suggestion { mapping, header: names, sample, doubts, likely })
}

/// Our own export leaves no questions.
fn own(header: &Header<'_>) -> Option<Mapping> {
    let row = header.sheet.row(header.at)?;
    let columns: Vec<(Field, String)> = write::COLUMNS
        .iter()
        .filter(|(name, _)| row.cells().any(|cell| cell == *name))
        .map(|(name, field)| (*field, (*name).to_owned()))
        .collect();
    if columns.len() < write::COLUMNS.len() {
        return None;
    }
    let mut mapping = Mapping { columns, style: Style::Dripline, ..Mapping::default() };
    let columns = Columns::of(header.sheet, row, &mapping);
    let figures: Vec<usize> =
        Field::ALL.iter().filter(|field| field.is_figure()).flat_map(|field| columns.indexes(*field)).copied().collect();
    mapping.decimals = Some(header.sheet.decimals_of(&figures));
    Some(mapping)
}

fn someones(header: &Header<'_>) -> (Mapping, Vec<Reason>) {
    let columns = header.found.iter().map(|(column, field)| (*field, header.call(*column))).collect();
    let mut mapping = Mapping { columns, ..Mapping::default() };
    let mut doubts = Vec::new();
    missing(header, &mut doubts);
    // Later questions use the results of earlier ones.
    evidence::of_days(header, &mut mapping, &mut doubts);
    evidence::of_decimals(header, &mut mapping, &mut doubts);
    types::find_types(header, &mut mapping, &mut doubts);
    let trades = |(_, meaning): &(String, Meaning)| matches!(meaning, Meaning::Kind(Kind::Buy | Kind::Sell));
    if !mapping.has(Field::Shares) && mapping.words.iter().any(trades) {
        doubts.push(Reason::WhichColumn { field: "shares" });
    }
    evidence::of_ids(header, &mut mapping);
    money::find_amounts(header, &mut mapping, &mut doubts);
    currency::find_currency(header, &mut mapping, &mut doubts);
    (mapping, doubts)
}

fn missing(header: &Header<'_>, doubts: &mut Vec<Reason>) {
    let called = |columns: &[usize]| columns.iter().map(|column| header.call(*column)).collect();
    match (header.has(Field::Date), header.days.as_slice()) {
        (true, _) => {}
        (false, []) => doubts.push(Reason::WhichColumn { field: "date" }),
        (false, several) => doubts.push(Reason::WhichDate { columns: called(several) }),
    }
    if !header.found.values().any(|field| field.names_an_instrument()) {
        doubts.push(Reason::WhichColumn { field: "security" });
    }
    if ![Field::Price, Field::Amount, Field::Net].iter().any(|field| header.has(*field)) && header.money.is_empty() {
        doubts.push(Reason::WhichColumn { field: "price" });
    }
    for field in [Field::Fees, Field::Tax] {
        let columns: Vec<usize> = header.found.iter().filter(|(_, found)| **found == field).map(|(column, _)| *column).collect();
        let is_taken = |cell: &str| cell.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
        let together = header.rows().find(|row| columns.iter().filter(|column| is_taken(row.cell(**column))).count() > 1);
        if let Some(row) = together {
            doubts.push(Reason::CostsOverlap { columns: called(&columns), line: row.line() });
        }
    }
}
