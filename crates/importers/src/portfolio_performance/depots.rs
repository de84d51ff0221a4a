//! Which depot a booking belongs to, if a file has several.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use ledger::Decimal;

use super::client::{Client, Facts, Side};
use super::tree::NodeId;

pub struct Depots<'c> {
    client: &'c Client,
    holdings: &'c Holdings,
    of_account: HashMap<NodeId, Vec<usize>>,
    used: HashSet<usize>,
    /// Dividends already assigned to a depot, by security and day.
    given: HashSet<(usize, NodeId, Date)>,
}

impl<'c> Depots<'c> {
    pub fn new(client: &'c Client, holdings: &'c Holdings) -> Depots<'c> {
        let mut of_account: HashMap<NodeId, Vec<usize>> = HashMap::new();
        for (at, depot) in client.depots.iter().enumerate() {
            if let Some(account) = depot.account {
                of_account.entry(account).or_default().push(at);
            }
        }
        let depot = |side: Side| if let Side::Depot(depot) = side { Some(depot) } else { None };
        let used = client.bookings.iter().filter_map(|booking| depot(booking.side)).collect();
        Depots { client, holdings, of_account, used, given: HashSet::new() }
    }

    /// Whether more than one depot has transactions, so that their names matter.
    pub fn apart(&self) -> bool {
        self.used.len() > 1
    }

    pub fn name(&self, depot: usize) -> Option<String> {
        self.client.depots.get(depot).and_then(|depot| depot.name.clone())
    }

    /// Dividends are booked in a cash account, which several depots may share: the depot is one of the account's that held the
    /// security, preferably one that held as many shares as the dividend was paid for and has none of that day yet.
    pub fn of_dividend(&mut self, account: NodeId, security: NodeId, facts: &Facts) -> Option<String> {
        let all: Vec<usize> = (0..self.client.depots.len()).collect();
        let own = self.of_account.get(&account).unwrap_or(&all);
        let knows = |depot: &&usize| self.holdings.knows(**depot, security);
        let candidates: Vec<usize> = match own.iter().any(|depot| knows(&depot)) {
            true => own.iter().filter(knows).copied().collect(),
            // Paid to another account than that of its depot.
            false => all.iter().filter(knows).copied().collect(),
        };
        let held = |depot: usize| self.holdings.before(depot, security, facts.date);
        let free = |depot: &usize| !self.given.contains(&(*depot, security, facts.date));
        let depot = candidates
            .iter()
            .copied()
            .filter(free)
            .find(|depot| held(*depot) == facts.shares)
            .or_else(|| candidates.iter().copied().find(|depot| held(*depot) > Decimal::ZERO))
            .or_else(|| candidates.first().or(own.first()).copied())?;
        self.given.insert((depot, security, facts.date));
        self.name(depot)
    }
}

/// How many shares of a security each depot held on a day, in the shares of the file.
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
