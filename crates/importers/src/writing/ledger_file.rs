//! Writes Dripline's own ledger file, which reads back as the same records.

use ledger::Decimal;

use crate::Record;
use crate::dripline::COLUMNS;
use crate::writing::formula::guarded;
use crate::writing::rows::Rows;

pub fn write(records: &[Record]) -> Vec<u8> {
    let mut rows = Rows::default();
    rows.push(COLUMNS.iter());
    let mut file = rows.into_bytes();
    file.extend(write_rows(records));
    file
}

/// Without the line of the columns, to go on with a file.
pub fn write_rows(records: &[Record]) -> Vec<u8> {
    let mut rows = Rows::default();
    for record in records {
        rows.push(fields(record).iter());
    }
    rows.into_bytes()
}

fn fields(record: &Record) -> [String; COLUMNS.len()] {
    let text = |field: &Option<String>| field.as_deref().map(guarded).unwrap_or_default();
    let figure = |field: Option<Decimal>| field.map(|figure| figure.to_string()).unwrap_or_default();
    [
        record.date.to_string(),
        record.kind.word().to_owned(),
        text(&record.symbol),
        text(&record.isin),
        text(&record.name),
        figure(record.shares),
        figure(record.price),
        figure(record.amount),
        figure(record.fees),
        figure(record.tax),
        figure(record.net),
        record.currency.map(|currency| currency.to_string()).unwrap_or_default(),
        figure(record.fx_rate),
        record.ratio.map(|ratio| ratio.to_string()).unwrap_or_default(),
        record.ex_date.map(|date| date.to_string()).unwrap_or_default(),
        text(&record.portfolio),
        text(&record.source),
        text(&record.id),
        text(&record.note),
    ]
}
