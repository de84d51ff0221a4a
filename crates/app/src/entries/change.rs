//! A change of entries: what it would break, what looks like a mistake, and how it is stored.

use std::collections::{BTreeSet, HashSet};

use store::entries::{self, Entry, Kind};
use store::{Tx, deleted_entries};
use uuid::Uuid;

use super::doubts::{self, Doubt};
use super::reference::{is_reinvestment, reference};
use crate::automatic::decision;
use crate::book::lots::lot_of;
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
pub(crate) struct Change {
    /// As stored; those that are not in `after` go.
    pub before: Vec<Entry>,
    /// Of a draft, the entry comes first, then the purchases that reinvest it.
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

    /// What a draft records.
    pub fn entry(&self) -> &Entry {
        &self.after[0]
    }

    /// The lots that would no longer add up.
    pub async fn conflicts(&self, app: &App, tx: &mut Tx) -> Result<Vec<Conflict>, Error> {
        let (stored, after) = (self.others.iter().chain(&self.before), self.others.iter().chain(&self.after));
        ledger_check::conflicts(app, tx, stored, after, &Default::default(), None).await
    }

    pub async fn doubts(&self, app: &App, tx: &mut Tx) -> Result<Vec<Doubt>, Error> {
        doubts::of_change(tx, &self.others, &self.before, &self.after, app.clock.today()).await
    }

    /// If an automatic purchase goes without its dividend, that is recorded as not reinvested.
    pub async fn decide_alone(&self, tx: &mut Tx, user_id: Uuid, gone: &Entry) -> Result<(), Error> {
        let is_alone = gone.kind == Kind::Buy && !self.before.iter().any(|dividend| is_reinvestment(gone, dividend));
        if is_alone { decision::reinvest(tx, user_id, gone, false).await } else { Ok(()) }
    }

    /// What the purchases need to refer to their dividend.
    pub fn link(&mut self) {
        if let Some((dividend, purchases)) = self.after.split_first_mut() {
            link(purchases, dividend);
        }
    }

    /// The same if the dividend was taken from the change.
    pub fn link_to(&mut self, dividend: &Entry) {
        link(&mut self.after, dividend);
    }

    /// Purchases that go can be restored.
    pub async fn store(&self, app: &App, tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
        let kept: HashSet<i64> = self.after.iter().map(|entry| entry.sequence).collect();
        let known: HashSet<i64> = self.before.iter().map(|entry| entry.sequence).collect();
        let gone: Vec<Entry> = self.before.iter().filter(|entry| !kept.contains(&entry.sequence)).cloned().collect();
        for entry in &gone {
            entries::delete(tx, user_id, entry.sequence).await?;
        }
        if !gone.is_empty() {
            deleted_entries::put(tx, user_id, Uuid::now_v7(), app.clock.now_micros(), &gone).await?;
        }
        let (changed, new): (Vec<Entry>, Vec<Entry>) = self.after.iter().cloned().partition(|one| known.contains(&one.sequence));
        for entry in changed {
            entries::update(tx, user_id, &entry).await?;
        }
        Ok(entries::add(tx, user_id, &new).await?)
    }
}

fn link(purchases: &mut [Entry], dividend: &Entry) {
    for purchase in purchases {
        purchase.reinvests = Some(reference(dividend));
    }
}
