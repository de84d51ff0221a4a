//! Errors in the offline files.

use jiff::civil::Date;
use ledger::{Currency, Decimal};

/// An error with its file and line (0: the file itself).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub file: String,
    pub line: u64,
    pub reason: Reason,
}

/// For logs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error("cannot be read: {cause}")]
    Unreadable { cause: String },

    #[error("holds no market files")]
    EmptyFolder,

    #[error("header is not UTF-8")]
    HeaderNotUtf8,

    #[error("unknown column \"{column}\"")]
    UnknownColumn { column: String, columns: &'static [&'static str] },

    #[error("column \"{column}\" is there twice")]
    ColumnTwice { column: String },

    #[error("not CSV in UTF-8, or another number of fields than the header")]
    MalformedLine,

    #[error("{column} is missing")]
    Missing { column: &'static str },

    #[error("symbol \"{text}\" is no ticker of up to 32 characters")]
    MalformedSymbol { text: String },

    #[error("{column} \"{text}\" is no decimal number below a trillion")]
    MalformedNumber { column: &'static str, text: String },

    #[error("{column} {figure} is not above zero")]
    NotPositive { column: &'static str, figure: Decimal },

    #[error("payout_ratio {figure} is no fraction")]
    PayoutNotFraction { figure: Decimal },

    #[error("{column} \"{text}\" is no date")]
    MalformedDate { column: &'static str, text: String },

    #[error("{column} \"{text}\" is neither a date nor an instant")]
    MalformedInstant { column: &'static str, text: String },

    #[error("{column} \"{text}\" is neither true nor false")]
    MalformedBoolean { column: &'static str, text: String },

    #[error("unknown currency \"{text}\"")]
    UnknownCurrency { text: String },

    #[error("kind \"{text}\" is neither regular nor special")]
    UnknownKind { text: String },

    #[error("ratio \"{text}\" is not new:old")]
    MalformedRatio { text: String },

    #[error("rate per hundredth of {currency}")]
    RatePerHundredth { currency: Currency },

    /// An earlier line has different values for the same key.
    #[error("{subject:?} is on line {first_line} with other figures")]
    Conflict { subject: Subject, first_line: u64 },

    #[error("unknown symbol {symbol}")]
    UnknownSymbol { symbol: String },

    /// One of them has no currency of its own.
    #[error("two dividends of {symbol} on {date} in {currency}")]
    DividendTwice { symbol: String, date: Date, currency: Currency },
}

/// What a line of a file is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    Stock { symbol: String },
    Dividend { symbol: String, date: Date },
    Split { symbol: String, date: Date },
    Close { symbol: String, date: Date },
    Rate { currency: Currency, date: Date },
}

impl Problem {
    pub fn new(file: &str, line: u64, reason: Reason) -> Problem {
        Problem { file: file.to_owned(), line, reason }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.reason),
            line => write!(f, "{}, line {line}: {}", self.file, self.reason),
        }
    }
}

impl Reason {
    pub fn code(&self) -> &'static str {
        match self {
            Reason::Unreadable { .. } => "unreadable",
            Reason::EmptyFolder => "empty_folder",
            Reason::HeaderNotUtf8 => "header_not_utf8",
            Reason::UnknownColumn { .. } => "unknown_column",
            Reason::ColumnTwice { .. } => "column_twice",
            Reason::MalformedLine => "malformed_line",
            Reason::Missing { .. } => "missing",
            Reason::MalformedSymbol { .. } => "malformed_symbol",
            Reason::MalformedNumber { .. } => "malformed_number",
            Reason::NotPositive { .. } => "not_positive",
            Reason::PayoutNotFraction { .. } => "payout_not_fraction",
            Reason::MalformedDate { .. } => "malformed_date",
            Reason::MalformedInstant { .. } => "malformed_instant",
            Reason::MalformedBoolean { .. } => "malformed_boolean",
            Reason::UnknownCurrency { .. } => "unknown_currency",
            Reason::UnknownKind { .. } => "unknown_kind",
            Reason::MalformedRatio { .. } => "malformed_ratio",
            Reason::RatePerHundredth { .. } => "rate_per_hundredth",
            Reason::Conflict { .. } => "conflict",
            Reason::UnknownSymbol { .. } => "unknown_symbol",
            Reason::DividendTwice { .. } => "dividend_twice",
        }
    }
}
