//! Why no provider gave an answer.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::fault::Fault;

/// What each provider said that gave no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub faults: Vec<(String, Fault)>,
}

impl Failure {
    /// Whoever could be asked says that there is no such symbol.
    pub fn is_unknown(&self) -> bool {
        self.faults.iter().any(|(_, fault)| *fault == Fault::Unknown)
            && self.faults.iter().all(|(_, fault)| matches!(fault, Fault::Unknown | Fault::Unsupported(_)))
    }

    /// Nobody here offers it, at least not for this symbol.
    pub fn is_unoffered(&self) -> bool {
        self.faults.iter().all(|(_, fault)| matches!(fault, Fault::Unsupported(_)))
    }

    /// Whoever could be asked has used up its budget; in the background that is the day's, a minute's is waited for.
    pub fn is_spent(&self) -> bool {
        self.faults.iter().any(|(_, fault)| *fault == Fault::OverBudget)
            && self.faults.iter().all(|(_, fault)| matches!(fault, Fault::OverBudget | Fault::Unsupported(_)))
    }

    /// Nothing is wrong: it was not their turn, or nobody offers it.
    pub fn is_waiting(&self) -> bool {
        self.faults.iter().all(|(_, fault)| matches!(fault, Fault::OverBudget | Fault::Resting(..) | Fault::Unsupported(_)))
    }
}

/// For logs.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.faults.is_empty() {
            return f.write_str("no provider offers this");
        }
        let texts: Vec<String> = self.faults.iter().map(|(name, fault)| format!("{name} {fault}")).collect();
        f.write_str(&texts.join("; "))
    }
}

impl std::error::Error for Failure {}
