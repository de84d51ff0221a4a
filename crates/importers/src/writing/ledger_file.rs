//! Writes Dripline's own ledger file, which reads back as the same records.

use ledger::Decimal;

use crate::Record;
use crate::dripline::COLUMNS;
use crate::joining::named_dividend;
use crate::writing::formula::guarded;
use crate::writing::rows::Rows;

pub fn write(records: &[Record]) -> Vec<u8> {
    let mut rows = Rows::default();
    rows.push(COLUMNS.iter());
    for (record, reinvested) in records.iter().zip(named_dividend::cells(records)) {
        rows.push(fields(record, reinvested).iter());
    }
    rows.into_bytes()
}

fn fields(record: &Record, reinvested: String) -> [String; COLUMNS.len()] {
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
        reinvested,
        text(&record.portfolio),
        text(&record.source),
        text(&record.id),
        text(&record.note),
    ]
}
