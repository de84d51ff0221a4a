//! Why a value was rejected. Reasons are stored with the value, so they can be serialised; `messages` has the texts.

use serde::{Deserialize, Serialize};

/// Numbers and dates are as in a file, amounts with their currency.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Closes are rejected together, from a day on.
    Closes {
        days: usize,
        from: String,
        problem: CloseProblem,
    },

    NotPositive,
    Negative,
    TooLarge,
    TooManyDigits,
    OtherCurrency {
        expected: String,
        found: String,
    },

    /// Amounts are in the unit of the stock's quotes, which is not known yet.
    UnitUnknown,
    ExDateTooOld,
    ExDateTooFarAhead {
        days: i32,
    },
    PayDateFarFromExDate {
        days_before: i64,
        days_after: i64,
    },
    DeclaredAfterExDate,
    BookedTwice {
        ex_date: String,
    },
    FartherFromUsual {
        amounts: Vec<String>,
        usual: String,
    },
    SeveralAmounts {
        amounts: Vec<String>,
    },
    FarFromUsual {
        usual: String,
    },
    YearFarFromRate {
        sum: String,
        rate: String,
    },
    YearAbovePrice {
        sum: String,
        price: String,
    },
    DividendAbovePrice {
        price: String,
    },

    FutureTime {
        as_of: String,
    },
    NotNewer {
        as_of: String,
        stored: String,
    },
    /// No split explains the difference.
    FarFromStoredPrice {
        stored: String,
    },
    FarFromPrice {
        price: String,
    },

    RateAbovePrice {
        price: String,
    },
    FarFromStoredRate {
        stored: String,
    },
    LowAboveHigh {
        low: String,
        high: String,
    },
    PayoutOutOfRange,
    YieldOutOfRange,
    MalformedIsin,

    /// As for a spin-off, which does not change the number of shares.
    UnusualRatio {
        ratio: String,
    },
    SplitTooFarAhead {
        days: i32,
    },
    OtherSplit {
        ratio: String,
        date: String,
    },

    ExchangeRateJumped {
        before: String,
        date: String,
    },

    /// By hand, so that no provider brings it back.
    RemovedByOperator,
}

impl Reason {
    /// The stored form.
    pub fn to_stored(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// `None` for a text that an earlier version stored.
    pub fn from_stored(text: &str) -> Option<Reason> {
        serde_json::from_str(text).ok()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloseProblem {
    NotPositive,
    Future,
    /// Some are far above the others, and it is not clear which are right.
    Ambiguous,
    OutOfScale,
}
