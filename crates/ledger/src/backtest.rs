//! The back-test: how far estimates were from what followed, over known histories. It walks forward in time and never looks ahead:
//! on each day, the figures come from the payments up to that day.

mod portfolios;
mod summary;
mod walk;

pub use portfolios::{PAYERS, Place, Portfolio, portfolios};
pub use summary::{Places, RateErrors, Within};
pub use walk::{ExDate, Half, Record, YearAhead};
