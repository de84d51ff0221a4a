//! Matches, changed by the user or automatically.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use ledger::ReplayError;
use store::instruments::{self, Match, Origin};
use store::{Tx, entries, users};
use uuid::Uuid;

use super::kept::{self, belongs_to};
use crate::book::refresh::{self, LoadedEntries};
use crate::import::check;
use crate::import::named::kept_symbol;
use crate::import::symbol_remap::SymbolRemap;
use crate::stocks::symbol_lookup;
use crate::{App, Error, refusal};

const SYMBOL_MAX: usize = 32;

/// The user says which stock a security is.
pub async fn choose(app: &App, user_id: Uuid, key: &str, symbol: &str) -> Result<(), Error> {
    let symbol = symbol.trim().to_uppercase();
    if symbol.is_empty() || symbol.chars().count() > SYMBOL_MAX || symbol.chars().any(|letter| !letter.is_ascii_graphic()) {
        return Err(refusal::Import::SymbolMalformed { symbol }.into());
    }
    // Without a provider the user is believed, as with every symbol in the ledger.
    if !app.sources().market.is_empty() {
        symbol_lookup::ensure_known(app, std::slice::from_ref(&symbol), Some(user_id)).await?;
    }
    change(app, user_id, key, Some(symbol), Origin::User).await
}

/// The user says that it has no ticker: it stays under its name, and is no longer asked for.
pub async fn set_unlisted(app: &App, user_id: Uuid, key: &str) -> Result<(), Error> {
    change(app, user_id, key, None, Origin::Unlisted).await
}

/// Keeps the security under its own name again, and never matches it automatically.
pub async fn undo(app: &App, user_id: Uuid, key: &str) -> Result<(), Error> {
    change(app, user_id, key, None, Origin::Undone).await
}

/// The user knows of all automatic matches.
pub async fn set_seen(app: &App, user_id: Uuid) -> Result<(), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    instruments::set_seen(&mut tx, user_id).await?;
    Ok(tx.commit().await?)
}

/// Without a symbol, the one that the security is kept under.
async fn change(app: &App, user_id: Uuid, key: &str, symbol: Option<String>, origin: Origin) -> Result<(), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let matches = instruments::list(&mut tx, user_id).await?;
    let kept = kept::of_user(&mut tx, user_id).await?.into_iter().find(|one| one.key == key);
    let from = match (&kept, matches.iter().find(|one| one.key == key)) {
        (Some(kept), _) => kept.symbol.clone(),
        (None, Some(matched)) => matched.symbol.clone(),
        (None, None) => return Err(refusal::Import::UnknownSecurity { key: key.to_owned() }.into()),
    };
    let to = symbol.unwrap_or_else(|| kept_symbol(key));
    let planned = Planned::of(&mut tx, user_id, &matches, &[Step { key, from: &from, to: &to, whole: kept.is_some() }]).await?;
    if let Some((symbol, cause)) = planned.conflict(app, &mut tx, user_id).await? {
        return Err(refusal::Import::MatchInconsistent { symbol, cause }.into());
    }
    planned.store(app, tx, user_id, origin, true).await
}

/// A security whose entries move from one symbol to another.
pub(super) struct Step<'a> {
    pub key: &'a str,
    pub from: &'a str,
    pub to: &'a str,
    /// All entries of the symbol, not only those that files call by the key.
    pub whole: bool,
}

pub(super) struct Planned {
    remap: SymbolRemap,
    /// Keys and symbols.
    matches: Vec<(String, String)>,
    /// Other keys that meant a symbol which has moved, as they were.
    followers: Vec<Match>,
    symbols: BTreeSet<String>,
}

impl Planned {
    pub async fn of(tx: &mut Tx, user_id: Uuid, matches: &[Match], steps: &[Step<'_>]) -> Result<Planned, Error> {
        let (mut remap, mut symbols, mut followers) = (SymbolRemap::default(), BTreeSet::new(), Vec::new());
        for Step { key, from, to, whole } in steps.iter().filter(|step| step.from != step.to) {
            remap.rename(tx, user_id, from, to, |entry| *whole || belongs_to(key, entry)).await?;
            symbols.extend([(*from).to_owned(), (*to).to_owned()]);
            let others = matches.iter().filter(|one| *whole && one.symbol == *from && one.key != *key);
            followers.extend(others.map(|one| Match { symbol: (*to).to_owned(), ..one.clone() }));
        }
        let matches = steps.iter().map(|step| (step.key.to_owned(), step.to.to_owned())).collect();
        Ok(Planned { remap, matches, followers, symbols })
    }

    /// The first position that would be inconsistent only after the change.
    pub async fn conflict(&self, app: &App, tx: &mut Tx, user_id: Uuid) -> Result<Option<(String, ReplayError)>, Error> {
        let symbols: BTreeSet<&str> = self.symbols.iter().map(String::as_str).collect();
        let before = entries::of_symbols(tx, user_id, &Vec::from_iter(symbols.iter().copied())).await?;
        let after = self.remap.entries(tx, user_id, &symbols).await?;
        let none = BTreeMap::new();
        let earlier: HashSet<(Uuid, String)> = check::conflicts(app, tx, &before, &before, &none, None)
            .await?
            .into_iter()
            .map(|conflict| (conflict.lot.portfolio_id, conflict.lot.symbol))
            .collect();
        let now = check::conflicts(app, tx, &before, &after, &none, None).await?.into_iter();
        let mut new = now.filter(|conflict| !earlier.contains(&(conflict.lot.portfolio_id, conflict.lot.symbol.clone())));
        Ok(new.next().map(|conflict| (conflict.lot.symbol, conflict.cause)))
    }

    pub async fn store(self, app: &App, mut tx: Tx, user_id: Uuid, origin: Origin, seen: bool) -> Result<(), Error> {
        let mut matches = self.followers;
        matches.extend(self.matches.iter().map(|(key, symbol)| Match { seen, ..Match::new(key, symbol, origin) }));
        self.remap.store(app, &mut tx, user_id, &matches).await?;
        refresh::written(app, &mut tx, user_id, LoadedEntries::default()).await?;
        users::bump_version(&mut tx, user_id).await?;
        tx.commit().await?;
        // Matches also affect uploads that are waiting for answers.
        app.plans.forget(user_id);
        Ok(())
    }
}
