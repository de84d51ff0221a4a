//! Why a provider gave no answer.

use std::time::Duration;

const MALFORMED_CHARS_MAX: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
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
    Resting(Duration, String),

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
    fn a_malformed_answer_is_quoted_in_one_short_line() {
        let message = Fault::malformed(format!("a\r\n\u{1b}[31mb{}", "x".repeat(10_000))).to_string();
        assert!(message.contains("a[31mbx") && message.len() < 600, "{message}");
    }
}
