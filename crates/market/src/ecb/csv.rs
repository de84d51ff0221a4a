//! The CSV form: a column per currency, a row per day, and a comma at the end of every line.

use std::io::Read;

use ::csv::{ReaderBuilder, StringRecord, Trim};
use ledger::Currency;

use super::fields;
use crate::fault::{Detail, Fault};
use crate::provider::Rate;

pub fn read(source: &mut dyn Read) -> Result<Vec<Rate>, Fault> {
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(source);
    let columns = columns(reader.headers().map_err(unreadable)?)?;
    let mut rates = Vec::new();
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(unreadable)? {
        row(&columns, &record, &mut rates).map_err(|fault| at(record.position().map_or(0, |position| position.line()), fault))?;
    }
    Ok(rates)
}

enum Column {
    Rate(Currency),
    Unknown,
    /// After the last comma.
    Unnamed,
}

fn columns(header: &StringRecord) -> Result<Vec<Column>, Fault> {
    let mut names = header.iter();
    let first = names.next().unwrap_or_default();
    if first != "Date" {
        return Err(Fault::missing("Date", first));
    }
    let column = |name| match (name, fields::currency(name)) {
        ("", _) => Column::Unnamed,
        (_, Some(currency)) => Column::Rate(currency),
        (_, None) => Column::Unknown,
    };
    Ok(names.map(column).collect())
}

fn row(columns: &[Column], record: &StringRecord, rates: &mut Vec<Rate>) -> Result<(), Fault> {
    let mut cells = record.iter();
    let date = fields::day(cells.next().unwrap_or_default())?;
    for (column, cell) in columns.iter().zip(cells) {
        match column {
            Column::Rate(currency) => {
                rates.extend(fields::rate(cell)?.map(|rate| Rate { currency: *currency, date, rate }));
            }
            Column::Unknown => {}
            // The row would be shifted against the header.
            Column::Unnamed if !cell.is_empty() => {
                return Err(Fault::missing("currency", cell));
            }
            Column::Unnamed => {}
        }
    }
    Ok(())
}

fn at(line: u64, fault: Fault) -> Fault {
    match fault {
        Fault::Malformed(detail) => Fault::Malformed(Detail::InLine { line, detail: Box::new(detail) }),
        fault => fault,
    }
}

fn unreadable(error: ::csv::Error) -> Fault {
    Fault::unparsable(error, "")
}
