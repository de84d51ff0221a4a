//! Why no provider could answer.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::fault::Fault;

/// The fault of each provider that was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub faults: Vec<(String, Fault)>,
}

impl Failure {
    /// Every provider that could be asked reports an unknown symbol.
    pub fn is_unknown(&self) -> bool {
        self.faults.iter().any(|(_, fault)| *fault == Fault::Unknown)
            && self.faults.iter().all(|(_, fault)| matches!(fault, Fault::Unknown | Fault::Unsupported(_)))
    }

    /// No provider offers it, at least not for this symbol.
    pub fn is_unoffered(&self) -> bool {
        self.faults.iter().all(|(_, fault)| matches!(fault, Fault::Unsupported(_)))
    }

    /// Every provider that could be asked has used up its budget. In the background that means the day's, because a minute's is
    /// waited for.
    pub fn is_spent(&self) -> bool {
        self.faults.iter().any(|(_, fault)| *fault == Fault::OverBudget)
            && self.faults.iter().all(|(_, fault)| matches!(fault, Fault::OverBudget | Fault::Unsupported(_)))
    }

    /// Nothing is wrong: providers were postponed, or none offers it.
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
