//! A user's matches: remembered, and applied to entries that were kept under an ISIN until then.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use importers::Record;
use ledger::Currency;
use store::accruals::Accrual;
use store::entries::{self, Entry, Kind, Renaming};
use store::instruments::{self, Match, Origin};
use store::{Tx, accruals, deleted_entries, payment_decisions, reinvest_rules, stocks, users};
use uuid::Uuid;

use super::identity::{self, Taken};
use super::named::kept_symbol;
use crate::book::refresh::{self, LoadedEntries};
use crate::stocks::listed;
use crate::{App, Error};

/// Without a file: for instruments kept earlier. Returns how many entries changed.
pub async fn map(app: &App, user_id: Uuid, map: &[(String, String)]) -> Result<u64, Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let renamed = SymbolRemap::work_out(&mut tx, user_id, map).await?;
    renamed.store(app, &mut tx, user_id, &chosen(map)).await?;
    refresh::written(app, &mut tx, user_id, LoadedEntries::default()).await?;
    users::bump_version(&mut tx, user_id).await?;
    tx.commit().await?;
    Ok(renamed.steps.len() as u64)
}

/// The user's answers as matches.
pub(super) fn chosen(map: &[(String, String)]) -> Vec<Match> {
    map.iter().map(|(key, symbol)| Match::new(&key.to_uppercase(), symbol, Origin::User)).collect()
}

/// What matches change in entries. Computed by reading only, so that a plan can use it before
/// anything is written.
#[derive(Default)]
pub(crate) struct SymbolRemap {
    /// In this order, no identity is ever taken twice.
    steps: Vec<Renaming>,
    /// Symbols without entries now, and their replacements, in the order of the answers.
    symbols: Vec<(String, String)>,
    /// New symbols, with the currency of their first entry.
    placeholders: BTreeMap<String, Currency>,
    /// All of the user's entries after the changes; `None` if all stay the same.
    entries: Option<Vec<Entry>>,
    /// Indexes of each symbol's entries.
    of_symbol: HashMap<String, Vec<usize>>,
    taken: HashMap<Uuid, Taken>,
    /// What the user deleted last, as stored and with what changes.
    deleted: Vec<(Entry, Entry)>,
}

impl SymbolRemap {
    pub async fn work_out(tx: &mut Tx, user_id: Uuid, map: &[(String, String)]) -> Result<SymbolRemap, Error> {
        let mut renamed = SymbolRemap::default();
        for (key, symbol) in map {
            let kept = kept_symbol(&key.to_uppercase());
            if kept != *symbol && renamed.is_provisional(tx, &kept).await? {
                renamed.rename(tx, user_id, &kept, symbol, |_| true).await?;
            }
        }
        Ok(renamed)
    }

    /// Also stores the matches themselves.
    pub async fn store(&self, app: &App, tx: &mut Tx, user_id: Uuid, matches: &[Match]) -> Result<(), Error> {
        instruments::put(tx, user_id, matches).await?;
        entries::rename(tx, user_id, &self.steps).await?;
        deleted_entries::rename(tx, user_id, &self.renamed_deleted()).await?;
        listed::add(app, tx, &self.placeholders).await?;
        for (kept, symbol) in &self.symbols {
            accruals::rename_symbol(tx, user_id, kept, symbol).await?;
            payment_decisions::rename_symbol(tx, user_id, kept, symbol).await?;
            reinvest_rules::rename_symbol(tx, user_id, kept, symbol).await?;
        }
        Ok(())
    }

    pub fn any(&self) -> bool {
        !self.steps.is_empty()
    }

    pub fn placeholders(&self) -> &BTreeMap<String, Currency> {
        &self.placeholders
    }

    /// The entries of these symbols.
    pub async fn entries(&self, tx: &mut Tx, user_id: Uuid, symbols: &BTreeSet<&str>) -> Result<Vec<Entry>, Error> {
        match &self.entries {
            Some(entries) => Ok(entries.iter().filter(|entry| symbols.contains(entry.symbol.as_str())).cloned().collect()),
            None => Ok(entries::of_symbols(tx, user_id, &Vec::from_iter(symbols.iter().copied())).await?),
        }
    }

    /// The symbols of the user's entries; `None` if all stay the same.
    pub fn symbols(&self) -> Option<HashSet<String>> {
        Some(self.entries.as_ref()?.iter().map(|entry| entry.symbol.clone()).collect())
    }

    pub async fn identities(&self, tx: &mut Tx, user_id: Uuid, portfolio_id: Uuid) -> Result<HashSet<String>, Error> {
        let Some(entries) = &self.entries else { return Ok(entries::identities(tx, user_id, portfolio_id).await?) };
        let there = entries.iter().filter(|entry| entry.portfolio_id == portfolio_id);
        Ok(there.map(|entry| entry.identity.clone()).collect())
    }

    pub async fn accruals(&self, tx: &mut Tx, user_id: Uuid, import_id: Uuid) -> Result<Vec<Accrual>, Error> {
        let mut accruals = accruals::of_statement(tx, user_id, import_id).await?;
        for (kept, symbol) in &self.symbols {
            for accrual in accruals.iter_mut().filter(|accrual| accrual.symbol == *kept) {
                accrual.symbol.clone_from(symbol);
            }
        }
        Ok(accruals)
    }

    /// A symbol that is really listed is not provisional, and stays.
    async fn is_provisional(&self, tx: &mut Tx, kept: &str) -> Result<bool, Error> {
        let stock = stocks::by_symbol(tx, kept).await?;
        Ok(stock.map_or(self.placeholders.contains_key(kept), |stock| stock.placeholder))
    }

    /// What was deleted comes back beside its equals, so that importing its file again still recognises it.
    fn renamed_deleted(&self) -> Vec<Entry> {
        let changed: Vec<&(Entry, Entry)> = self.deleted.iter().filter(|(stored, after)| stored.symbol != after.symbol).collect();
        let mut taken: HashMap<Uuid, Taken> = HashMap::new();
        for entry in self.entries.iter().flatten().filter(|_| !changed.is_empty()) {
            taken.entry(entry.portfolio_id).or_default().identities.insert(entry.identity.clone());
        }
        let mut renamed: Vec<Entry> = Vec::new();
        let mut identities: HashMap<(Uuid, &String), String> = HashMap::new();
        for (stored, after) in changed {
            let others = taken.entry(after.portfolio_id).or_default();
            let identity = identity::moved(&after.identity, &record(after), &after.symbol, others);
            others.identities.insert(identity.clone());
            identities.insert((after.portfolio_id, &stored.identity), identity.clone());
            renamed.push(Entry { identity, ..after.clone() });
        }
        for purchase in &mut renamed {
            let dividend = purchase.reinvests.as_ref().and_then(|to| identities.get(&(purchase.portfolio_id, to)));
            purchase.reinvests = dividend.cloned().or_else(|| purchase.reinvests.take());
        }
        renamed
    }

    fn read(&mut self, entries: Vec<Entry>) {
        for (at, entry) in entries.iter().enumerate() {
            self.of_symbol.entry(entry.symbol.clone()).or_default().push(at);
            self.taken.entry(entry.portfolio_id).or_default().identities.insert(entry.identity.clone());
        }
        self.entries = Some(entries);
    }

    /// Moves those entries of a symbol to another one.
    pub async fn rename(
        &mut self,
        tx: &mut Tx,
        user_id: Uuid,
        from: &str,
        symbol: &str,
        is_moved: impl Fn(&Entry) -> bool,
    ) -> Result<(), Error> {
        if self.entries.is_none() {
            self.read(entries::of_user(tx, user_id).await?);
            let deleted = deleted_entries::of_user(tx, user_id).await?.into_iter().map(|one| one.entry);
            self.deleted = deleted.map(|entry| (entry.clone(), entry)).collect();
        }
        let all = self.entries.as_deref().unwrap_or_default();
        let there = self.of_symbol.remove(from).unwrap_or_default();
        let (moved, stay): (Vec<usize>, Vec<usize>) = there.into_iter().partition(|at| all.get(*at).is_some_and(&is_moved));
        let (mut first, mut left) = (None, Vec::new());
        let mut references: HashMap<(Uuid, String), String> = HashMap::new();
        for at in &moved {
            let Some(entry) = self.entries.as_mut().and_then(|all| all.get_mut(*at)) else { continue };
            let others = self.taken.entry(entry.portfolio_id).or_default();
            let identity = identity::moved(&entry.identity, &record(entry), symbol, others);
            others.identities.insert(identity.clone());
            self.steps.push(Renaming { sequence: entry.sequence, symbol: symbol.to_owned(), identity: identity.clone() });
            first = first.or(Some(entry.currency));
            entry.symbol = symbol.to_owned();
            let before = std::mem::replace(&mut entry.identity, identity);
            if entry.kind == Kind::Dividend && !self.deleted.is_empty() {
                references.insert((entry.portfolio_id, before.clone()), entry.identity.clone());
            }
            left.push((entry.portfolio_id, before));
        }
        for (_, entry) in self.deleted.iter_mut().filter(|(_, entry)| entry.symbol == from && is_moved(entry)) {
            entry.symbol = symbol.to_owned();
            let to = entry.reinvests.take();
            entry.reinvests = to.map(|to| references.get(&(entry.portfolio_id, to.clone())).cloned().unwrap_or(to));
        }
        for (portfolio_id, identity) in left.iter().filter(|(_, identity)| identity.starts_with("row:")) {
            self.taken.entry(*portfolio_id).or_default().leave(identity);
        }
        self.of_symbol.entry(symbol.to_owned()).or_default().extend(moved);
        if let Some(currency) = first
            && stocks::by_symbol(tx, symbol).await?.is_none()
        {
            self.placeholders.entry(symbol.to_owned()).or_insert(currency);
        }
        if stay.is_empty() {
            self.symbols.push((from.to_owned(), symbol.to_owned()));
        } else {
            self.of_symbol.insert(from.to_owned(), stay);
        }
        Ok(())
    }
}

/// The parts of an entry that make its identity.
fn record(entry: &Entry) -> Record {
    Record {
        shares: entry.shares,
        price: entry.price,
        amount: entry.amount,
        fees: entry.fees,
        tax: entry.tax,
        net: entry.net,
        currency: Some(entry.currency),
        fx_rate: entry.fx_rate,
        ratio: entry.ratio,
        ex_date: entry.ex_date,
        ..Record::new(0, entry.date, entry.kind)
    }
}
