//! Dividends that market data knows and nobody recorded: suggested, or recorded as estimates until the user confirms them.
//!
//! Automatic entries follow from everything else: real entries, market data, and what the user decided about single payments.
//! [`reconcile`] compares those that there should be with those that are stored, and writes the difference.

mod decide;
pub(crate) mod decision;
mod job;
pub(crate) mod key;
pub(crate) mod reconcile;
mod reinvest;
mod suggestions;
mod unrecorded;

pub use decide::{Chosen, confirm, ignore, record, set_mode, set_reinvest, unignore};
pub(crate) use job::is_wanted;
pub use job::record_due;
pub use key::Key;
pub use store::portfolios::{Automatic, Reinvest};
pub use suggestions::{Suggestion, Suggestions, suggestions};
