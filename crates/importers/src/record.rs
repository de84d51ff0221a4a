//! The result of reading any format.

use jiff::civil::{Date, Time};
use ledger::{Currency, Decimal, Kind, Ratio};

use crate::Reason;

/// One event of the ledger, from one or more rows of a file; figures as written, in whole currency units.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its row.
    pub line: u64,
    /// Other rows that are part of it: its tax, its fee.
    pub joined: Vec<u64>,
    /// The row already gave another record: a reinvestment is a dividend and a buy.
    pub second: bool,
    pub date: Date,
    /// Orders the events of one day.
    pub time: Option<Time>,
    pub kind: Kind,
    /// In our own notation, such as `KO` or `IBE.MC`: used unchanged.
    pub symbol: Option<String>,
    /// As the broker writes it.
    pub ticker: Option<String>,
    /// The exchange suffix in our own notation, if the file has the exchange: empty for the United States.
    pub suffix: Option<&'static str>,
    pub isin: Option<String>,
    pub cusip: Option<String>,
    pub name: Option<String>,
    pub shares: Option<Decimal>,
    pub price: Option<Decimal>,
    /// Gross, before fees and tax.
    pub amount: Option<Decimal>,
    pub fees: Option<Decimal>,
    pub tax: Option<Decimal>,
    pub net: Option<Decimal>,
    pub currency: Option<Currency>,
    /// The file has no currency: figures are in the instrument's quote unit, such as pence.
    pub quoted: bool,
    /// Units of the instrument's trading currency for one unit of `currency`.
    pub fx_rate: Option<Decimal>,
    pub ratio: Option<Ratio>,
    /// The ratio was computed from share counts in the file, not stated by the broker: market data may be more accurate.
    pub ratio_worked_out: bool,
    pub ex_date: Option<Date>,
    /// A dividend and the purchases that it paid for have the same number, which the file uses for nothing else.
    pub reinvestment: Option<usize>,
    pub portfolio: Option<String>,
    pub source: Option<String>,
    /// The source's own id for the row.
    pub id: Option<String>,
    pub note: Option<String>,
}

impl Record {
    /// False for a net without an amount: the gross is unknown, even if a price per share would suggest one.
    pub fn is_gross_known(&self) -> bool {
        self.kind != Kind::Dividend || self.amount.is_some() || self.net.is_none()
    }

    pub fn new(line: u64, date: Date, kind: Kind) -> Record {
        Record {
            line,
            joined: Vec::new(),
            second: false,
            date,
            time: None,
            kind,
            symbol: None,
            ticker: None,
            suffix: None,
            isin: None,
            cusip: None,
            name: None,
            shares: None,
            price: None,
            amount: None,
            fees: None,
            tax: None,
            net: None,
            currency: None,
            quoted: false,
            fx_rate: None,
            ratio: None,
            ratio_worked_out: false,
            ex_date: None,
            reinvestment: None,
            portfolio: None,
            source: None,
            id: None,
            note: None,
        }
    }
}

/// A payment that the broker has announced but not yet paid.
#[derive(Clone, Debug, PartialEq)]
pub struct Accrual {
    pub line: u64,
    pub ticker: Option<String>,
    pub suffix: Option<&'static str>,
    pub isin: Option<String>,
    pub cusip: Option<String>,
    pub name: Option<String>,
    pub currency: Currency,
    pub ex_date: Date,
    pub pay_date: Option<Date>,
    pub shares: Decimal,
    pub per_share: Option<Decimal>,
    pub gross: Decimal,
    pub tax: Decimal,
    pub net: Decimal,
}

/// Rows with an error, or skipped.
const PROBLEMS_MAX: usize = 200_000;

/// A parsed file. Every data row appears exactly once: in a record (as its line or joined), a skip or an error.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// Data rows of the file, counted as they are read.
    pub rows: u64,
    pub records: Vec<Record>,
    /// Announced payments, if the file has a section for them, even an empty one; their rows are among the skips.
    pub accruals: Option<Vec<Accrual>>,
    /// The date of their statement.
    pub as_of: Option<Date>,
    pub skips: Vec<Problem>,
    pub errors: Vec<Problem>,
    /// What is wrong with the whole file, apart from its rows.
    pub refusal: Option<Problem>,
}

impl Parsed {
    pub fn refused(line: u64, reason: Reason) -> Parsed {
        Parsed { refusal: Some(Problem::new(line, reason)), ..Parsed::default() }
    }

    pub fn skip(&mut self, line: u64, reason: Reason) {
        if self.has_capacity(line) {
            self.skips.push(Problem::new(line, reason));
        }
    }

    pub fn error(&mut self, line: u64, reason: Reason) {
        if self.has_capacity(line) {
            self.errors.push(Problem::new(line, reason));
        }
    }

    /// A file with too many unusable rows is refused as a whole.
    fn has_capacity(&mut self, line: u64) -> bool {
        let full = self.skips.len() + self.errors.len() >= PROBLEMS_MAX;
        if full && self.refusal.is_none() {
            self.refusal = Some(Problem::new(line, Reason::TooManyProblems { max: PROBLEMS_MAX }));
        }
        !full
    }

    /// Whether every row is accounted for exactly once.
    pub fn adds_up(&self) -> bool {
        let in_records: usize = self.records.iter().map(|record| usize::from(!record.second) + record.joined.len()).sum();
        self.rows == (in_records + self.skips.len() + self.errors.len()) as u64
    }
}

/// What is wrong with one line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub line: u64,
    pub reason: Reason,
}

/// Kept small, because a file may have very many rows.
const _: () = assert!(size_of::<Problem>() <= 40);

impl Problem {
    pub fn new(line: u64, reason: Reason) -> Problem {
        Problem { line, reason }
    }
}
