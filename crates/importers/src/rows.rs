//! Tables that are read row by row.

use ledger::Decimal;

use crate::joining::payments::Payments;
use crate::reading::{Line, Table};
use crate::{Parsed, Reason, Record};

/// What a row is.
pub enum Read {
    Record(Box<Record>),
    /// A dividend, and what it has in common with the row of its tax.
    Dividend(String, Box<Record>),
    /// Positive if it was withheld.
    Tax(String, Decimal, Box<Record>),
    Skip(Reason),
    /// The importer keeps it, to join it with others.
    Kept,
}

impl From<Record> for Read {
    fn from(record: Record) -> Read {
        Read::Record(Box::new(record))
    }
}

impl Read {
    pub fn dividend(key: String, record: Record) -> Read {
        Read::Dividend(key, Box::new(record))
    }

    pub fn tax(key: String, tax: Decimal, record: Record) -> Read {
        Read::Tax(key, tax, Box::new(record))
    }
}

/// Reads all rows of the table; an error is what is wrong with a row.
pub fn parse<'a>(table: &Table<'a>, mut read: impl FnMut(Line<'_, 'a>) -> Result<Read, Reason>) -> Parsed {
    let mut rows = Rows::default();
    for line in table.lines() {
        rows.add(line.number(), read(line));
    }
    rows.finish()
}

/// The rows that were read so far.
#[derive(Default)]
pub struct Rows {
    parsed: Parsed,
    payments: Payments,
}

impl Rows {
    pub fn add(&mut self, line: u64, read: Result<Read, Reason>) {
        self.parsed.rows += 1;
        match read {
            Ok(Read::Record(record)) => self.parsed.records.push(*record),
            Ok(Read::Dividend(key, record)) => self.payments.dividend(key, *record),
            Ok(Read::Tax(key, tax, record)) => self.payments.tax(key, tax, *record),
            Ok(Read::Skip(reason)) => self.parsed.skip(line, reason),
            Ok(Read::Kept) => {}
            Err(reason) => self.parsed.error(line, reason),
        }
    }

    pub fn finish(mut self) -> Parsed {
        self.parsed.records.extend(self.payments.finish());
        self.parsed
    }
}
