//! Dripline's own ledger file: CSV, UTF-8, a header row, columns in any order.

use std::collections::HashSet;

use ledger::{Decimal, Ratio};

use crate::joining::named_dividend::{self, Reinvested};
use crate::reading::{Decimals, Row, Sheet, fields, figure};
use crate::reason::Cell;
use crate::writing::formula::unguarded;
use crate::{Kind, Opened, Parsed, Problem, Reason, Record};

pub const COLUMNS: [&str; 20] = [
    "date",
    "type",
    "symbol",
    "isin",
    "name",
    "shares",
    "price",
    "amount",
    "fees",
    "tax",
    "net",
    "currency",
    "fx_rate",
    "ratio",
    "ex_date",
    "reinvests",
    "portfolio",
    "source",
    "id",
    "note",
];

const FIGURES: [&str; 7] = ["shares", "price", "amount", "fees", "tax", "net", "fx_rate"];

pub fn detect(file: &Opened) -> bool {
    let Some(header) = file.sheets.first().and_then(|sheet| sheet.row(0)) else { return false };
    let has = |name: &str| header.cells().any(|cell| cell == name);
    has("date") && has("type") && (has("symbol") || has("isin"))
}

pub fn parse(file: &Opened) -> Parsed {
    let Some(sheet) = file.sheets.first() else { return Parsed::refused(1, Reason::header_missing(&COLUMNS)) };
    let mut parsed = Parsed::default();
    let header = sheet.row(0).ok_or_else(|| Reason::header_missing(&COLUMNS[..2])).and_then(|header| columns_of(header, sheet));
    let mut reinvested = Vec::new();
    for row in sheet.rows().skip(1) {
        parsed.rows += 1;
        match header.as_ref().map(|header| read(header, row, sheet)) {
            Ok(Ok((record, dividend))) => {
                reinvested.extend(dividend.map(|dividend| (parsed.records.len(), dividend)));
                parsed.records.push(record);
            }
            Ok(Err(reason)) => parsed.error(row.line(), reason),
            Err(_) => parsed.skip(row.line(), Reason::HeaderUnusable),
        }
    }
    let wrong = named_dividend::link(&mut parsed.records, &reinvested);
    let lines: HashSet<u64> = wrong.iter().map(|(at, _)| parsed.records[*at].line).collect();
    for (at, reason) in wrong.into_iter().rev() {
        let line = parsed.records[at].line;
        parsed.error(line, reason);
    }
    parsed.records.retain(|record| !lines.contains(&record.line));
    parsed.refusal = header.err().map(|reason| Problem::new(1, reason));
    parsed
}

/// The position of each known column in the file.
struct Header {
    places: [Option<usize>; COLUMNS.len()],
    width: usize,
    decimals: Decimals,
}

fn columns_of(header: Row<'_>, sheet: &Sheet) -> Result<Header, Reason> {
    let mut places = [None; COLUMNS.len()];
    for (place, name) in header.cells().enumerate() {
        let column = COLUMNS.iter().position(|column| *column == name);
        let column = column.ok_or_else(|| Reason::UnknownColumn { name: name.into() })?;
        if places[column].replace(place).is_some() {
            return Err(Reason::ColumnTwice { name: name.into() });
        }
    }
    for (column, name) in COLUMNS.iter().enumerate().take(2) {
        if places[column].is_none() {
            return Err(Reason::ColumnMissing { name: (*name).into() });
        }
    }
    let figures: Vec<usize> =
        COLUMNS.iter().zip(places).filter(|(name, _)| FIGURES.contains(name)).filter_map(|(_, place)| place).collect();
    Ok(Header { places, width: header.len(), decimals: sheet.decimals_of(&figures) })
}

fn read(header: &Header, row: Row<'_>, sheet: &Sheet) -> Result<(Record, Option<Reinvested>), Reason> {
    // A workbook leaves out empty cells at the end of a row.
    let as_wide = row.len() == header.width || (sheet.name.is_some() && row.len() < header.width);
    if !as_wide {
        return Err(Reason::FieldCount { fields: row.len(), header: header.width });
    }
    let field = |name: &str| -> Option<&str> {
        let column = COLUMNS.iter().position(|column| *column == name)?;
        Some(row.cell(header.places[column]?)).filter(|text| !text.is_empty())
    };
    let required = |name: &str| field(name).ok_or_else(|| Reason::missing(name));
    let written = |name: &str| field(name).map(unguarded);
    let text = |name: &str, chars_max| written(name).map(|text| fields::text(name, text, chars_max)).transpose();
    // The format requires a decimal point; a spreadsheet may have replaced it by commas throughout the file.
    let decimal = |name: &str, text: &str| match header.decimals {
        Decimals::Point => fields::decimal(name, text),
        Decimals::Comma => figure(name, text, Decimals::Comma),
    };
    let figure = |name: &str| field(name).map(|text| decimal(name, text)).transpose();

    let kind = required("type")?;
    let kind = Kind::parse(kind).ok_or_else(|| Reason::UnknownKind(Cell::new("type", kind)))?;
    let unit = field("currency").map(|code| fields::unit("currency", code)).transpose()?;
    let money = |name: &str| -> Result<Option<Decimal>, Reason> {
        let whole = figure(name)?.map(|figure| unit.map_or(figure, |unit| unit.normalise(figure)));
        match whole {
            Some(figure) if figure.scale() > fields::DECIMALS_MAX => {
                Err(Reason::TooManyDecimals { column: name.into(), max: fields::DECIMALS_MAX - 2 })
            }
            whole => Ok(whole),
        }
    };
    let ratio = field("ratio").map(ratio).transpose()?;
    let reinvested = field("reinvests").map(|text| Reinvested::parse("reinvests", text)).transpose()?;
    if reinvested.is_some() && kind != Kind::Buy {
        return Err(Reason::ReinvestedByOther { kind });
    }
    let record = Record {
        symbol: written("symbol").map(|text| fields::symbol("symbol", text)).transpose()?,
        isin: field("isin").map(|text| fields::isin("isin", text)).transpose()?,
        name: text("name", 200)?,
        shares: figure("shares")?,
        price: money("price")?,
        amount: money("amount")?,
        fees: money("fees")?,
        tax: money("tax")?,
        net: money("net")?,
        currency: unit.map(|unit| unit.currency),
        fx_rate: figure("fx_rate")?,
        ratio,
        ex_date: field("ex_date").map(|text| fields::date("ex_date", text)).transpose()?,
        portfolio: text("portfolio", 100)?,
        source: text("source", 100)?,
        id: text("id", 200)?,
        note: text("note", 1000)?,
        ..Record::new(row.line(), fields::date("date", required("date")?)?, kind)
    };
    Ok((record, reinvested))
}

fn ratio(text: &str) -> Result<Ratio, Reason> {
    let (new, old) = text.split_once(':').ok_or_else(|| Reason::NotARatio(Cell::new("ratio", text)))?;
    fields::decimal("ratio", new.trim())?;
    fields::decimal("ratio", old.trim())?;
    Ratio::parse(text).ok_or_else(|| Reason::NotARatio(Cell::new("ratio", text)))
}
