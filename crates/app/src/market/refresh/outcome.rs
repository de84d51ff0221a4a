//! The outcome of one refresh. The cause of a failure is stored with it, so it can be serialised; `messages` has the texts.

use market::Failure;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// No provider knows the symbol: delisted, renamed, or mistyped.
    Unknown(Cause),
    Failed(Cause),
    /// No provider could be asked now; nothing is wrong.
    Waiting(Cause),
    /// Today's budgets are used up.
    OverBudget(Cause),
    /// Nothing to request: the earlier result stays.
    Unchanged,
    /// The expected data is not published yet; requested again in a few minutes.
    Late,
    /// Another node has taken over.
    Lost,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    Providers(Failure),
    UnknownSymbol,
    /// No ledger has the symbol any more.
    NotInUse,
    /// The operator's files: the location of their first problem.
    Files {
        file: String,
        line: u64,
        problems: usize,
    },
}

impl Cause {
    /// The stored form.
    pub fn to_stored(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// `None` for a text that an earlier version stored.
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
