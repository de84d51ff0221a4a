//! What every format is read into.

use jiff::civil::Date;
use ledger::{Currency, Decimal, Kind, Ratio};

/// One row of a file that became a ledger record; figures as written, in whole currency units.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub line: u64,
    pub date: Date,
    pub kind: Kind,
    pub symbol: Option<String>,
    pub isin: Option<String>,
    pub name: Option<String>,
    pub shares: Option<Decimal>,
    pub price: Option<Decimal>,
    pub amount: Option<Decimal>,
    pub fees: Option<Decimal>,
    pub tax: Option<Decimal>,
    pub net: Option<Decimal>,
    pub currency: Option<Currency>,
    pub fx_rate: Option<Decimal>,
    pub ratio: Option<Ratio>,
    pub ex_date: Option<Date>,
    pub portfolio: Option<String>,
    pub source: Option<String>,
    /// The source's own id of the row.
    pub id: Option<String>,
    pub note: Option<String>,
}

/// A file as read: `rows` = records + skips + errors, one each; an error of the header (line 1) comes on top.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    pub rows: u64,
    pub records: Vec<Record>,
    pub skips: Vec<Problem>,
    pub errors: Vec<Problem>,
}

/// What is the matter with one line of the file, in words for its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub line: u64,
    pub reason: String,
}

impl Problem {
    pub fn new(line: u64, reason: impl Into<String>) -> Problem {
        Problem { line, reason: reason.into() }
    }
}
