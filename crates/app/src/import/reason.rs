//! Why a row has an error or is skipped, besides the reasons of the file format: data only; `messages` has the texts.

use importers::reason::{Describe, Field, Value};
use jiff::civil::Date;
use ledger::{Currency, Decimal, Ratio, ReplayError};

importers::reasons! {
    Reason wraps File(importers::Reason) wraps Ledger(Box<Inconsistency>) = "reason" {
        /// Other rows have errors.
        "left_out" LeftOut,
        /// Because of these problems, if they are known.
        "skipped_by_user" SkippedByUser { problems: Vec<Reason> },
        "currency_missing" CurrencyMissing,
        /// Neither the file nor market data has it.
        "currency_unknown" CurrencyUnknown { symbol: Box<str> },
        /// Another event in the file has the same id.
        "id_twice" IdTwice { id: Box<str>, line: u64 },
        /// The ratio computed from the shares in the file differs from market data.
        "split_differs" SplitDiffers { ratio: Box<Ratio>, known: Box<Ratio>, date: Date },
        "unknown_security" UnknownSecurity { key: Box<str> },
        "unknown_name" UnknownName { name: Box<str> },
        "several_listings" SeveralListings { key: Box<str> },
        "several_securities" SeveralSecurities { name: Box<str> },
        /// With the file, an entry that was recorded earlier no longer fits.
        "breaks_recorded" BreaksRecorded { problem: Box<Inconsistency> },
        "several" Several { problems: Vec<Reason> },
    }
}

importers::reasons! {
    /// Why the lot of one stock does not add up with the file.
    Inconsistency = "reason" {
        "oversold" Oversold { symbol: String, date: Date, held: Decimal, asked: Decimal },
        "missing_rate" MissingRate { symbol: String, date: Date, from: Currency, to: Currency },
        "position_too_large" TooLarge { symbol: String },
    }
}

/// Kept small, because a file may have very many rows.
const _: () = assert!(size_of::<Reason>() <= 32 && size_of::<Problem>() <= 40);

/// An error in one line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub line: u64,
    pub reason: Reason,
}

impl Problem {
    pub fn new(line: u64, reason: impl Into<Reason>) -> Problem {
        Problem { line, reason: reason.into() }
    }

    /// The row is skipped because of it.
    pub(super) fn skipped(self) -> Problem {
        Problem { line: self.line, reason: self.reason.skipped() }
    }
}

impl Reason {
    /// The reason of a row that is skipped because of this one.
    pub(super) fn skipped(self) -> Reason {
        Reason::SkippedByUser { problems: vec![self] }
    }

    /// Combines several reasons of one row.
    pub(super) fn with(self, other: Reason) -> Reason {
        let mut problems = if let Reason::Several { problems } = self { problems } else { vec![self] };
        problems.push(other);
        Reason::Several { problems }
    }
}

impl From<importers::Reason> for Reason {
    fn from(reason: importers::Reason) -> Reason {
        Reason::File(reason)
    }
}

impl From<importers::Problem> for Problem {
    fn from(problem: importers::Problem) -> Problem {
        Problem::new(problem.line, problem.reason)
    }
}

impl Inconsistency {
    pub(super) fn new(symbol: &str, cause: &ReplayError) -> Inconsistency {
        let symbol = symbol.to_owned();
        match *cause {
            ReplayError::Oversold { date, held, asked, .. } => Inconsistency::Oversold { symbol, date, held, asked },
            ReplayError::MissingRate { date, from, to, .. } => Inconsistency::MissingRate { symbol, date, from, to },
            ReplayError::Overflow => Inconsistency::TooLarge { symbol },
        }
    }
}

impl Field for Inconsistency {
    fn value(&self) -> Value<'_> {
        Value::Reasons(vec![self as &dyn Describe])
    }
}
