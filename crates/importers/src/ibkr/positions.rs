//! What is held at the end of a report that has nothing else.

use jiff::civil::Date;
use ledger::Decimal;

use super::book::Book;
use super::entry::Entry;
use super::instrument::{Instrument, no_share};
use crate::positions::mark_openings;
use crate::reading::{Order, day};
use crate::{Kind, Parsed, Reason, Record};

pub fn read<'b>(book: &Book, entries: impl Iterator<Item = &'b Entry>, parsed: &mut Parsed) {
    let mut records = Vec::new();
    for entry in entries {
        match position(book, entry) {
            Ok(Ok(record)) => records.push(record),
            Ok(Err(reason)) => parsed.skip(entry.line, reason),
            Err(reason) => parsed.error(entry.line, reason),
        }
    }
    mark_openings(&mut records);
    parsed.records.append(&mut records);
}

/// The inner error is the reason why the row is skipped.
fn position(book: &Book, entry: &Entry) -> Result<Result<Record, Reason>, Reason> {
    if let Some(reason) = no_share(entry) {
        return Ok(Err(reason));
    }
    let shares = entry.figure_needed("quantity")?;
    if shares <= Decimal::ZERO {
        return Ok(Err(if shares.is_zero() { Reason::NoShares } else { Reason::ShortSale }));
    }
    let instrument = Instrument::named(entry).ok_or(Reason::NoSecurity)?;
    let unit = entry.unit()?;
    let price = entry.figure("costprice")?.map(|price| unit.normalise(price.abs())).filter(|price| !price.is_zero());
    let date = date(book, entry)?.ok_or_else(|| Reason::flex_field_missing("reportDate"))?;
    let mut record =
        Record { shares: Some(shares), price, currency: Some(unit.currency), ..Record::new(entry.line, date, Kind::TransferIn) };
    instrument.put(&mut record);
    Ok(Ok(record))
}

fn date(book: &Book, entry: &Entry) -> Result<Option<Date>, Reason> {
    let until = book.statements.get(entry.statement).and_then(|statement| day("", &statement.until, Order::MonthFirst).ok());
    Ok(entry.day("reportdate")?.or(until).or(book.import_date))
}
