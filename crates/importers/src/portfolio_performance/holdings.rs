//! How many shares of a security each depot held on a day, in the shares of the file.

use std::collections::HashMap;

use jiff::civil::Date;
use ledger::Decimal;

use super::tree::NodeId;

#[derive(Default)]
pub struct Holdings {
    /// Days with the shares added (or removed, if negative); sums after [`Holdings::sum_up`].
    days: HashMap<(usize, NodeId), Vec<(Date, Decimal)>>,
}

impl Holdings {
    pub fn add(&mut self, depot: usize, security: NodeId, date: Date, shares: Decimal) {
        self.days.entry((depot, security)).or_default().push((date, shares));
    }

    pub fn sum_up(&mut self) {
        for days in self.days.values_mut() {
            days.sort_by_key(|(date, _)| *date);
            let mut held = Decimal::ZERO;
            for (_, shares) in days {
                held = held.saturating_add(*shares);
                *shares = held;
            }
        }
    }

    pub fn before(&self, depot: usize, security: NodeId, date: Date) -> Decimal {
        let Some(days) = self.days.get(&(depot, security)) else { return Decimal::ZERO };
        let end = days.partition_point(|(day, _)| *day < date);
        end.checked_sub(1).and_then(|last| days.get(last)).map_or(Decimal::ZERO, |(_, held)| *held)
    }

    /// Whether the depot had booked the security before that day.
    pub fn known_before(&self, depot: usize, security: NodeId, date: Date) -> bool {
        self.days.get(&(depot, security)).is_some_and(|days| days.first().is_some_and(|(day, _)| *day < date))
    }

    pub fn knows(&self, depot: usize, security: NodeId) -> bool {
        self.days.contains_key(&(depot, security))
    }
}
