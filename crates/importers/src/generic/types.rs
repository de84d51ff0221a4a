//! What a table's rows are: by the words of its type column, or all the same if it has none.

use std::collections::HashMap;

use ledger::{Decimal, Kind};

use super::columns::Columns;
use super::field::Field;
use super::header::Header;
use super::mapping::{Mapping, Meaning, Ratios};
use super::names::{is_about, plain};
use super::ratio::ratio;
use super::text::collapsed;
use super::{ratio, words};
use crate::Reason;
use crate::reading::Row;

/// More different words than this are not types.
const WORDS_MAX: usize = 40;

pub fn find_types(header: &Header<'_>, mapping: &mut Mapping, doubts: &mut Vec<Reason>) {
    let Some(row) = header.sheet.row(header.at) else { return };
    let columns = Columns::of(header.sheet, row, mapping);
    match columns.has(Field::Type) {
        true => by_words(header, &columns, mapping, doubts),
        false => without_type(header, &columns, mapping, doubts),
    }
    of_ratios(header, &columns, mapping, doubts);
}

/// What a row is, by the mapping's words first. `None` if unknown.
pub fn meaning(mapping: &Mapping, columns: &Columns, row: Row<'_>) -> Option<Meaning> {
    match columns.text(row, Field::Type) {
        Some(word) => {
            let (chosen, known) = columns.meanings(word);
            // A deposit of shares is not a deposit of money.
            chosen.or(known.filter(|known| *known != Meaning::Ignore || !columns.names_shares(row)))
        }
        None => mapping.default,
    }
}

fn by_words(header: &Header<'_>, columns: &Columns, mapping: &mut Mapping, doubts: &mut Vec<Reason>) {
    let mut asked: Vec<(String, u64)> = Vec::new();
    let mut seen: HashMap<String, bool> = HashMap::new();
    for row in header.rows() {
        let Some(word) = columns.text(row, Field::Type) else { continue };
        let (_, known) = columns.meanings(word);
        let matters = columns.names_shares(row) || (known.is_none() && columns.names_an_instrument(row));
        let is_new = !seen.contains_key(&plain(word));
        let asked_before = seen.entry(plain(word)).or_insert(false);
        match known {
            Some(meaning) if meaning != Meaning::Ignore && is_new => mapping.words.push((collapsed(word), meaning)),
            Some(meaning) if meaning != Meaning::Ignore => {}
            _ if matters && !*asked_before => {
                *asked_before = true;
                asked.push((collapsed(word), row.line()));
            }
            _ => {}
        }
    }
    if asked.len() > WORDS_MAX || mapping.words.len() > WORDS_MAX {
        mapping.words.clear();
        doubts.push(Reason::WhichColumn { field: "type" });
        return;
    }
    for (word, line) in asked {
        doubts.push(Reason::UnknownWord { word: word.into(), line });
    }
}

fn without_type(header: &Header<'_>, columns: &Columns, mapping: &mut Mapping, doubts: &mut Vec<Reason>) {
    let money = [Field::Price, Field::Amount, Field::Net]
        .iter()
        .flat_map(|field| columns.indexes(*field))
        .copied()
        .chain(header.money.iter().copied());
    let sold = |row| columns.figure_if_valid(row, Field::Shares).is_some_and(|shares| shares < Decimal::ZERO);
    if money.map(|column| plain(&header.call(column))).any(|name| is_about("dividends", &name)) {
        mapping.default = Some(Meaning::Kind(Kind::Dividend));
    } else if columns.has(Field::Price) && header.rows().any(sold) {
        mapping.default = Some(Meaning::ByShares);
    } else if columns.indexes(Field::Price).iter().any(|column| is_about("purchases", &plain(&header.call(*column)))) {
        mapping.default = Some(Meaning::Kind(Kind::Buy));
    } else {
        doubts.push(Reason::NoTypeColumn);
    }
}

fn of_ratios(header: &Header<'_>, columns: &Columns, mapping: &Mapping, doubts: &mut Vec<Reason>) {
    let question = header.rows().find_map(|row| {
        let is_split = meaning(mapping, columns, row) == Some(Meaning::Kind(Kind::Split));
        let text = ratio_of(columns, row).filter(|_| is_split)?;
        let reverse = columns.text(row, Field::Type).is_some_and(words::is_reverse);
        let read = |order| ratio(text, reverse, order, columns.decimals);
        (read(None).is_err() && read(Some(Ratios::NewFirst)).is_ok()).then(|| Reason::RatioOrder { text: text.into() })
    });
    doubts.extend(question);
}

/// What a split's row says about its ratio: in a separate column, else in its type or note.
pub fn ratio_of<'a>(columns: &Columns, row: Row<'a>) -> Option<&'a str> {
    let within = |field| columns.text(row, field).and_then(ratio::within);
    columns.text(row, Field::Ratio).or_else(|| within(Field::Type)).or_else(|| within(Field::Note))
}
