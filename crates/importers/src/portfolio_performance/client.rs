//! The contents of a client file: depots, cash accounts, and the bookings of each.

use std::collections::HashSet;

use jiff::civil::{Date, Time};
use ledger::Decimal;

use super::tree::{NodeId, Tree};
use crate::reading::fields::one_line;
use crate::reading::{Order, moment};
use crate::reason::Cell;
use crate::{Problem, Reason};

pub struct Client {
    pub tree: Tree,
    pub depots: Vec<Depot>,
    pub bookings: Vec<Booking>,
    /// Decimals of share counts, which more recent versions increased.
    pub scale: u32,
}

pub struct Depot {
    pub name: Option<String>,
    /// The account for the cash of its trades and dividends.
    pub account: Option<NodeId>,
}

/// A transaction of a depot or a cash account.
pub struct Booking {
    pub at: NodeId,
    pub line: u64,
    pub side: Side,
    /// What connects the two sides of a purchase.
    pub cross: Option<NodeId>,
    pub security: Option<NodeId>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Depot(usize),
    Account(NodeId),
}

/// The parsed figures of a booking.
pub struct Facts {
    pub date: Date,
    pub time: Option<Time>,
    pub shares: Decimal,
}

impl Client {
    pub fn read(text: &str) -> Result<Client, Problem> {
        let tree = Tree::read(text)?;
        let root = tree.root();
        let scale = scale(&tree)?;
        if let Some(entries) = tree.child(root, "ledger").and_then(|ledger| tree.child(ledger, "entries"))
            && tree.children(entries).next().is_some()
        {
            return Err(Problem::new(tree.line(entries), Reason::PortfolioLedger));
        }
        let mut client = Client { tree, depots: Vec::new(), bookings: Vec::new(), scale };
        client.collect()?;
        Ok(client)
    }

    fn collect(&mut self) -> Result<(), Problem> {
        let tree = &self.tree;
        let list = |name: &str| -> Result<Vec<NodeId>, Problem> {
            tree.child(tree.root(), name).map(|list| tree.children(list).collect()).unwrap_or(Ok(Vec::new()))
        };
        let owners = list("accounts")?.into_iter().map(|account| (account, Side::Account(account)));
        let owners: Vec<(NodeId, Side)> =
            owners.chain(list("portfolios")?.into_iter().enumerate().map(|(at, depot)| (depot, Side::Depot(at)))).collect();
        let mut seen = HashSet::new();
        for (owner, side) in owners {
            if let Side::Depot(_) = side {
                let name = tree.text(owner, "name").map(|name| one_line(name, 100));
                self.depots.push(Depot { name, account: tree.child(owner, "referenceAccount") });
            }
            let Some(transactions) = tree.child(owner, "transactions") else { continue };
            for at in tree.children(transactions) {
                let at = at?;
                if seen.insert(at) {
                    let (cross, security) = (tree.child(at, "crossEntry"), tree.child(at, "security"));
                    self.bookings.push(Booking { at, line: tree.line(at), side, cross, security });
                }
            }
        }
        Ok(())
    }

    pub fn kind(&self, booking: &Booking) -> &str {
        self.tree.text(booking.at, "type").unwrap_or_default()
    }

    pub fn facts(&self, booking: &Booking) -> Result<Facts, Reason> {
        let text = self.tree.text(booking.at, "date").ok_or_else(|| Reason::missing("date"))?;
        let (date, time) = moment("date", text, Order::DayFirst)?;
        let shares = match self.tree.text(booking.at, "shares") {
            Some(text) => scaled_integer("shares", text, self.scale)?.normalize(),
            None => Decimal::ZERO,
        };
        // Midnight means that no time was entered.
        Ok(Facts { date, time: time.filter(|time| *time != Time::midnight()), shares })
    }
}

/// A number that is stored as a multiple of its smallest unit.
pub fn scaled_integer(name: &str, text: &str, scale: u32) -> Result<Decimal, Reason> {
    let parts: i64 = text.parse().map_err(|_| Reason::NotANumber(Cell::new(name, text)))?;
    let figure = Decimal::new(parts, scale);
    match figure.abs() < Decimal::new(1_000_000_000_000, 0) {
        true => Ok(figure),
        false => Err(Reason::NumberTooLarge(Cell::new(name, &figure.to_string()))),
    }
}

fn scale(tree: &Tree) -> Result<u32, Problem> {
    let text = tree.text(tree.root(), "version").unwrap_or_default();
    match text.parse::<u32>() {
        Ok(0..=2) => Ok(0),
        Ok(3..=25) => Ok(5),
        Ok(26..=48) => Ok(6),
        Ok(_) => Ok(8),
        Err(_) => Err(Problem::new(1, Reason::PortfolioDamaged)),
    }
}
