//! Links securities as soon as anything knows which stock they are.

use std::collections::HashMap;

use store::instruments::{self, Origin};
use store::stocks::{Stock, placeholders};
use store::{Tx, entries};
use uuid::Uuid;

use super::candidates;
use super::change::{Planned, Step};
use super::kept::{self, Kept};
use crate::{App, Error};

/// Links what is known by now, for one user or all; returns how many securities were linked. The lock of each user's writes keeps
/// two nodes from linking the same security.
pub async fn heal(app: &App, only: Option<Uuid>) -> Result<usize, Error> {
    let mut tx = app.store.read().await?;
    let mut held = placeholders::in_ledgers(&mut tx).await?;
    held.retain(|(user_id, symbol, name)| {
        only.is_none_or(|only| only == *user_id) && kept::is_identifiable(symbol, name.as_deref())
    });
    let mut symbols: Vec<&str> = held.iter().map(|(_, symbol, _)| symbol.as_str()).collect();
    symbols.sort_unstable();
    symbols.dedup();
    let found = candidates::find(app, &mut tx, &symbols).await?;
    let known = held.iter().filter(|(_, symbol, _)| found.contains_key(symbol));
    let mut users: Vec<Uuid> = known.map(|(user_id, ..)| *user_id).collect();
    users.dedup();
    drop(tx);
    let mut linked = 0;
    for user_id in users {
        linked += heal_user(app, user_id, &found).await?;
    }
    Ok(linked)
}

/// The same after work that is already stored: a failure is not that work's, and the next round tries again.
pub(crate) async fn heal_after(app: &App, only: Option<Uuid>) {
    if let Err(error) = heal(app, only).await {
        tracing::warn!(%error, "securities could not be matched");
    }
}

async fn heal_user(app: &App, user_id: Uuid, found: &HashMap<String, Vec<Stock>>) -> Result<usize, Error> {
    // Planned by reading first, because most often nothing can be linked.
    if plan(app, &mut app.store.read().await?, user_id, found).await?.is_none() {
        return Ok(0);
    }
    let mut tx = app.store.write_for(user_id).await?;
    let Some((planned, count)) = plan(app, &mut tx, user_id, found).await? else { return Ok(0) };
    planned.store(app, tx, user_id, Origin::Automatic, false).await?;
    tracing::info!(count, "securities were matched with their stocks");
    Ok(count)
}

/// Everything that can be linked without a doubt and without making the ledger inconsistent.
async fn plan(
    app: &App,
    tx: &mut Tx,
    user_id: Uuid,
    found: &HashMap<String, Vec<Stock>>,
) -> Result<Option<(Planned, usize)>, Error> {
    let matches = instruments::list(tx, user_id).await?;
    let mut chosen: Vec<(Kept, String)> = Vec::new();
    for kept in kept::of_user(tx, user_id).await? {
        if kept.decision(&matches).is_none()
            && let Some(candidates) = found.get(&kept.symbol)
            && let Some(symbol) = listing(tx, user_id, &kept, candidates).await?
        {
            chosen.push((kept, symbol));
        }
    }
    loop {
        let step = |(kept, symbol): &'_ (Kept, String)| (kept.key.clone(), kept.symbol.clone(), symbol.clone());
        let owned: Vec<(String, String, String)> = chosen.iter().map(step).collect();
        let steps: Vec<Step<'_>> = owned.iter().map(|(key, from, to)| Step { key, from, to, whole: true }).collect();
        if steps.is_empty() {
            return Ok(None);
        }
        let planned = Planned::of(tx, user_id, &matches, &steps).await?;
        match planned.conflict(app, tx, user_id).await? {
            None => return Ok(Some((planned, steps.len()))),
            Some((symbol, _)) => {
                let before = chosen.len();
                chosen.retain(|(_, to)| *to != symbol);
                if chosen.len() == before {
                    return Ok(None);
                }
            }
        }
    }
}

/// The only listing; else the only one that the user already has in the ledger; else the only one in the currency of the trades.
async fn listing(tx: &mut Tx, user_id: Uuid, kept: &Kept, candidates: &[Stock]) -> Result<Option<String>, Error> {
    let listed = kept.fitting(candidates.to_vec());
    if let [only] = listed.as_slice() {
        return Ok(Some(only.symbol.clone()));
    }
    let symbols: Vec<&str> = listed.iter().map(|stock| stock.symbol.as_str()).collect();
    let in_ledger = entries::have_symbols(tx, user_id, &symbols).await?;
    let own = symbols.iter().zip(in_ledger).filter(|(_, there)| *there).map(|(symbol, _)| *symbol);
    let traded_in = kept.traded_in();
    let in_currency = listed.iter().filter(|stock| Some(stock.currency) == traded_in).map(|stock| stock.symbol.as_str());
    Ok(only(own).or_else(|| only(in_currency)).map(str::to_owned))
}

fn only<'a>(mut symbols: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    symbols.next().filter(|_| symbols.next().is_none())
}
