//! What a provider can do, and how well.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ability {
    Quotes,
    Profile,
    Dividends,
    Splits,
    Closes,
    Search,
    Calendar,
    Rates,
}

/// How well a provider does something. The best is asked first; among equals, the one the operator prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grade {
    None,
    /// With gaps: dividends without pay dates, a profile without fundamentals, a costly quote.
    Fair,
    Good,
}
