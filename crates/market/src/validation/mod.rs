//! Between a provider's answer and the database: plausible values are normalised and pass, others are rejected with a reason.
//! Nothing is dropped silently, and nothing is guessed.

mod closes;
mod dividends;
mod duplicates;
mod hit;
mod isin;
mod level;
mod merge;
mod pair;
mod profile;
mod quote;
mod reason;
mod row;
mod scale;
mod shares;
mod special;
mod splits;
mod usual;

use jiff::Timestamp;
use jiff::civil::Date;
use ledger::{Currency, Decimal, QuoteUnit};

pub use closes::closes;
pub use dividends::dividends;
pub use hit::hit;
pub use isin::isin;
pub use merge::{Arrival, Merge, Source, merge, same_payment};
pub use profile::profile;
pub use quote::quote;
pub use reason::{CloseProblem, Reason};
pub use splits::splits;

/// A value that failed validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// Such as `price`, `dividend 2026-01-19` or `closes`.
    pub field: String,
    pub value: String,
    pub reason: Reason,
}

/// What is known about a stock so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Known {
    pub unit: Option<QuoteUnit>,
    pub price: Option<Decimal>,
    pub price_as_of: Option<Timestamp>,
    pub forward_rate: Option<Decimal>,
    pub dividends: Vec<KnownDividend>,
    pub splits: Vec<ledger::Split>,
    pub fund: bool,
}

/// A stored dividend: as paid, in whole units of its currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownDividend {
    pub ex_date: Date,
    pub currency: Currency,
    pub special: bool,
    pub pay_date: Option<Date>,
    pub declared_date: Option<Date>,
    pub amount: Decimal,
    /// `None`: the operator's files.
    pub provider: Option<String>,
}

/// The accepted value, and what was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validated<T> {
    pub rows: T,
    pub rejected: Vec<Rejection>,
}

impl Rejection {
    fn new(field: impl Into<String>, value: impl ToString, reason: Reason) -> Rejection {
        Rejection { field: field.into(), value: value.to_string(), reason }
    }
}

fn days_between(from: Date, to: Date) -> i64 {
    to.duration_since(from).as_hours() / 24
}

/// The UTC day of an instant, close enough for splits: the exchange's own day differs by at most one.
fn day_of(instant: Timestamp) -> Date {
    instant.to_zoned(jiff::tz::TimeZone::UTC).date()
}
