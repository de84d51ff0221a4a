//! A change of several entries at once: what it would break, and what looks like a mistake.

use std::collections::{BTreeSet, HashSet};

use store::Tx;
use store::entries::{self, Entry};
use uuid::Uuid;

use super::doubts::{self, Doubt};
use crate::import::check::{self as ledger_check, Conflict};
use crate::{App, Error};

/// What became of the change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changed {
    /// This many entries.
    Done(usize),
    /// Nothing was stored.
    Doubted(Vec<Doubt>),
}

#[derive(Default)]
pub(super) struct Change {
    /// As stored; those that are not in `after` go.
    pub before: Vec<Entry>,
    pub after: Vec<Entry>,
    /// All other entries of the lots of both.
    pub others: Vec<Entry>,
}

impl Change {
    pub async fn load(tx: &mut Tx, user_id: Uuid, before: Vec<Entry>, after: Vec<Entry>) -> Result<Change, Error> {
        let changed = || before.iter().chain(&after);
        let symbols: BTreeSet<&str> = changed().map(|entry| entry.symbol.as_str()).collect();
        let lots: HashSet<(Uuid, &str)> = changed().map(lot_of).collect();
        let sequences: HashSet<i64> = changed().map(|entry| entry.sequence).collect();
        let mut others = entries::of_symbols(tx, user_id, &Vec::from_iter(symbols)).await?;
        others.retain(|entry| !sequences.contains(&entry.sequence) && lots.contains(&lot_of(entry)));
        Ok(Change { before, after, others })
    }

    /// The lots that would no longer add up.
    pub async fn conflicts(&self, app: &App, tx: &mut Tx) -> Result<Vec<Conflict>, Error> {
        let (stored, after) = (self.others.iter().chain(&self.before), self.others.iter().chain(&self.after));
        ledger_check::conflicts(app, tx, stored, after, &Default::default(), None).await
    }

    pub async fn doubts(&self, app: &App, tx: &mut Tx) -> Result<Vec<Doubt>, Error> {
        doubts::of_change(tx, &self.others, &self.before, &self.after, app.clock.today()).await
    }
}

pub(super) fn lot_of(entry: &Entry) -> (Uuid, &str) {
    (entry.portfolio_id, &entry.symbol)
}
