//! How many requests a provider may get.

use std::fmt;
use std::str::FromStr;

/// Requests per minute and per day (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub per_minute: u32,
    pub per_day: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not requests per minute / per day")]
pub struct MalformedBudget;

/// Written `per_minute/per_day`, such as `300/100000`.
impl FromStr for Budget {
    type Err = MalformedBudget;

    fn from_str(text: &str) -> Result<Budget, MalformedBudget> {
        let parsed = text.split_once('/').and_then(|(minute, day)| {
            Some(Budget { per_minute: minute.trim().parse().ok()?, per_day: day.trim().parse().ok()? })
        });
        parsed.filter(|budget| budget.per_minute > 0 && budget.per_day > 0).ok_or(MalformedBudget)
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.per_minute, self.per_day)
    }
}
