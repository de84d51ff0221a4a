//! Shares held on any day, for many look-ups of one position.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::position::{possible_splits, shares_after, steps};
use crate::{Entry, Split};

/// The shares of one portfolio and symbol over time.
#[derive(Clone, Debug, Default)]
pub struct SharesHeld {
    /// At the end of each day on which something happened, ascending.
    days: Vec<(Date, Decimal)>,
}

impl SharesHeld {
    pub fn of(entries: &[Entry], splits: &[Split]) -> SharesHeld {
        let mut days: Vec<(Date, Decimal)> = Vec::new();
        let mut held = Some(Decimal::ZERO);
        for step in steps(entries, &possible_splits(entries, splits), |_| true) {
            let day = step.date();
            // After an overflow, zero shares are reported.
            held = held.and_then(|held| shares_after(held, step).ok());
            days.pop_if(|(last, _)| *last == day);
            days.push((day, held.unwrap_or_default()));
        }
        SharesHeld { days }
    }

    /// The same result as [`crate::shares_before`].
    pub fn before(&self, day: Date) -> Decimal {
        let earlier = self.days.partition_point(|(date, _)| *date < day);
        earlier.checked_sub(1).map_or(Decimal::ZERO, |last| self.days[last].1)
    }
}
