//! Why a provider gave no answer. Faults are stored, so they can be serialised; `messages` has the texts for people, and the
//! texts here are for logs.

use std::fmt::Display;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ability::Ability;
use crate::figure::brief;

const CAUSE_CHARS_MAX: usize = 300;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Delisted, renamed or mistyped.
    #[error("does not know the symbol")]
    Unknown,

    /// Not a failure: this provider, or the plan of its key, does not offer it.
    #[error("does not offer {0:?}")]
    Unsupported(Offer),

    #[error("its budget of requests is used up")]
    OverBudget,

    /// It failed so often that it is paused for a while; has the last fault.
    #[error("is left alone for {} s, because it {}", .0.as_secs().max(1), .1)]
    Resting(Duration, Box<Fault>),

    #[error("asks for fewer requests{}", retry_after(.0))]
    Throttled(Option<Duration>),

    #[error("did not answer in time")]
    TimedOut,

    #[error("cannot be reached: {0}")]
    Unreachable(String),

    /// The task that sent the request for several callers was stopped.
    #[error("was not heard out")]
    Interrupted,

    #[error("answers with more than {0} bytes")]
    TooLarge(usize),

    #[error("answers with status {0}")]
    Status(u16),

    #[error("refuses access: {0:?}")]
    Denied(Denial),

    /// The answer is not as expected.
    #[error("answers in a form that is not understood: {0:?}")]
    Malformed(Detail),
}

/// What a provider does not offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    Ability(Ability),
    /// Stocks on the exchange of this symbol.
    Exchange {
        symbol: String,
    },
    /// The currency of this symbol's prices.
    Currency {
        symbol: String,
    },
    /// The plan of the key does not include it.
    Plan,
}

/// Why a provider refuses access.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Denial {
    /// The key in this setting is not accepted.
    Key {
        setting: String,
    },
    Status(u16),
    /// In the provider's words.
    Quoted(String),
    /// Its words repeat the key, so they are not quoted.
    RepeatsKey,
    /// Yahoo gives no crumb, which quotes and profiles need.
    NoCrumb,
    /// A redirect leads to a foreign host.
    LeadsAway {
        host: String,
    },
    /// The consent pages never end.
    EndlessConsent,
}

/// What is wrong with an answer, and where. Fields have the provider's names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// Not valid JSON, XML or CSV; `cause` is the parser's message, and `start` quotes the answer, unless it is empty.
    Unparsable {
        cause: String,
        start: String,
    },
    NotUtf8,
    /// It ends in the middle.
    CutOff,
    DamagedZip,
    /// A file of exchange rates without any.
    NoRates,
    RateTwice {
        currency: String,
        date: String,
    },
    TooManyEvents {
        symbol: String,
        count: usize,
    },
    /// In the provider's words.
    Quoted(String),
    /// It repeats the key, so nothing of it is quoted.
    RepeatsKey,
    /// `record`: the symbol or date of the row; empty if it has none.
    Missing {
        field: String,
        record: String,
    },
    Invalid {
        field: String,
        value: String,
        record: String,
    },
    InFile {
        file: String,
        detail: Box<Detail>,
    },
    InLine {
        line: u64,
        detail: Box<Detail>,
    },
}

impl Fault {
    /// The stored form.
    pub fn to_stored(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// `None` for a text that an earlier version stored.
    pub fn from_stored(text: &str) -> Option<Fault> {
        serde_json::from_str(text).ok()
    }

    /// One line, with a limited quote of the answer.
    pub(crate) fn unparsable(cause: impl Display, start: &str) -> Fault {
        let cause = cause.to_string().chars().filter(|letter| !letter.is_control()).take(CAUSE_CHARS_MAX).collect();
        Fault::Malformed(Detail::Unparsable { cause, start: brief(start) })
    }

    pub fn missing(field: &str, record: impl Display) -> Fault {
        Fault::Malformed(Detail::Missing { field: field.to_owned(), record: brief(&record.to_string()) })
    }

    pub fn invalid(field: &str, value: impl Display, record: impl Display) -> Fault {
        let (value, record) = (brief(&value.to_string()), brief(&record.to_string()));
        Fault::Malformed(Detail::Invalid { field: field.to_owned(), value, record })
    }

    /// Whether the same request may succeed in a moment.
    pub(crate) fn is_transient(&self) -> bool {
        matches!(self, Fault::TimedOut | Fault::Unreachable(_) | Fault::Throttled(_) | Fault::Status(500..=599))
    }

    /// Whether it says something about the provider's health, rather than about the request.
    pub(crate) fn is_failure(&self) -> bool {
        !matches!(self, Fault::Unknown | Fault::Unsupported(_) | Fault::OverBudget | Fault::Resting(..))
    }
}

fn retry_after(wait: &Option<Duration>) -> String {
    wait.map_or(String::new(), |wait| format!(" and to wait {} s", wait.as_secs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_of_an_answer_is_one_short_line_whatever_stood_in_it() {
        let text = format!("a\r\n\u{1b}[31mb{}", "x".repeat(10_000));
        for fault in [Fault::unparsable(&text, &text), Fault::missing("date", &text), Fault::invalid("date", &text, &text)] {
            let quoted = fault.to_string();
            assert!(quoted.contains("a[31mbx") && quoted.len() < 600, "{quoted}");
        }
    }

    #[test]
    fn a_fault_is_stored_and_read_again() {
        let detail = Box::new(Detail::Missing { field: "Date".to_owned(), record: String::new() });
        for fault in [
            Fault::Unsupported(Offer::Ability(Ability::Quotes)),
            Fault::Denied(Denial::Key { setting: "DRIPLINE_FMP_KEY".to_owned() }),
            Fault::Malformed(Detail::InFile { file: "a.zip".to_owned(), detail: Box::new(Detail::InLine { line: 3, detail }) }),
            Fault::Resting(Duration::from_secs(60), Box::new(Fault::Malformed(Detail::NotUtf8))),
        ] {
            assert_eq!(Fault::from_stored(&fault.to_stored()), Some(fault));
        }
    }
}
