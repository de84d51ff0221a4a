//! What came of one piece of work. The cause of a failure is stored with it, so it can be serialised; `messages` puts it into
//! words.

use market::Failure;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// No provider knows the symbol: delisted, renamed, or mistyped.
    Unknown(Cause),
    Failed(Cause),
    /// Nobody could be asked now; nothing is wrong.
    Waiting(Cause),
    /// The budgets of the day are used up.
    OverBudget(Cause),
    /// Nothing to ask about: an earlier verdict stands.
    Unchanged,
    /// What was expected is not published yet; asked again in a few minutes.
    Late,
    /// Another node has taken over.
    Lost,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    Providers(Failure),
    UnknownSymbol,
    /// The symbol is in no ledger any more.
    NotInUse,
    /// The operator's files: where the first of their problems is.
    Files {
        file: String,
        line: u64,
        problems: usize,
    },
}

impl Cause {
    /// As it is stored.
    pub fn to_stored(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// None for words that an earlier version stored.
    pub fn from_stored(text: &str) -> Option<Cause> {
        serde_json::from_str(text).ok()
    }
}

impl From<&Failure> for Outcome {
    fn from(failure: &Failure) -> Outcome {
        let cause = Cause::Providers(failure.clone());
        match () {
            () if failure.is_unknown() => Outcome::Unknown(cause),
            () if failure.is_spent() => Outcome::OverBudget(cause),
            () if failure.is_waiting() => Outcome::Waiting(cause),
            () => Outcome::Failed(cause),
        }
    }
}
