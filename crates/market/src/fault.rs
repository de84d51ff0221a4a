//! Why a provider gave no answer. It is stored with what was asked, so it can be serialised; `messages` puts it into words, and
//! what is written here is for logs.

use std::time::Duration;

use serde::{Deserialize, Serialize};

const MALFORMED_CHARS_MAX: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Delisted, renamed or mistyped.
    #[error("does not know the symbol")]
    Unknown,

    /// Not a failure: this provider, or the plan its key has, does not offer it.
    #[error("does not offer {0}")]
    Unsupported(String),

    #[error("its budget of requests is used up")]
    OverBudget,

    /// It failed so often that it is left alone for a while; says how it failed last.
    #[error("is left alone for {} s, because it {}", .0.as_secs().max(1), .1)]
    Resting(Duration, Box<Fault>),

    #[error("asks for fewer requests{}", retry_after(.0))]
    Throttled(Option<Duration>),

    #[error("did not answer in time")]
    TimedOut,

    #[error("cannot be reached: {0}")]
    Unreachable(String),

    #[error("answers with more than {0} bytes")]
    TooLarge(usize),

    #[error("answers with status {0}")]
    Status(u16),

    /// The key is missing, wrong, or not good enough.
    #[error("refuses access: {0}")]
    Denied(String),

    /// The answer is not what it should be; says what and where.
    #[error("answers in a form that is not understood: {0}")]
    Malformed(String),
}

impl Fault {
    /// As it is stored.
    pub fn to_stored(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// None for words that an earlier version stored.
    pub fn from_stored(text: &str) -> Option<Fault> {
        serde_json::from_str(text).ok()
    }

    /// In one line, and not all of an answer that is quoted.
    pub(crate) fn malformed(what: impl Into<String>) -> Fault {
        Fault::Malformed(what.into().chars().filter(|letter| !letter.is_control()).take(MALFORMED_CHARS_MAX).collect())
    }

    /// Whether the same question may go well in a moment.
    pub(crate) fn is_transient(&self) -> bool {
        matches!(self, Fault::TimedOut | Fault::Unreachable(_) | Fault::Throttled(_) | Fault::Status(500..=599))
    }

    /// Whether it says something about the provider's health, not about the question.
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
        let quoted = Fault::malformed(format!("a\r\n\u{1b}[31mb{}", "x".repeat(10_000))).to_string();
        assert!(quoted.contains("a[31mbx") && quoted.len() < 600, "{quoted}");
    }
}
