//! Refreshes on command.

use std::collections::BTreeSet;

use store::WriteLock;
use store::refreshes::{self, Refresh, Topic};
use store::tracking;

use super::health::{resume, save_health};
use super::planner::{is_refreshed, plan};
use super::worker::quotes_in_hand;
use super::{LEASE_MICROS, topics};
use crate::market::refresh::{self, Outcome};
use crate::{App, Error, matching, refusal};

/// The result of refreshing one stock, or the rates.
pub struct Refreshed {
    pub topic: Topic,
    pub symbol: String,
    pub outcome: Outcome,
}

/// Refreshes these stocks now, or everything that is tracked, and the exchange rates; then the stocks that securities were matched
/// with meanwhile. Reports progress after each.
pub async fn refresh_now(app: &App, symbols: &[String], progress: &dyn Fn(usize, usize)) -> Result<Vec<Refreshed>, Error> {
    if app.sources().is_empty() {
        return Err(refusal::Market::NoProvider.into());
    }
    resume(app).await?;
    plan(app).await?;
    let before = tracked(app).await?;
    let mut done = refresh_symbols(app, symbols, progress).await?;
    matching::heal(app, None).await?;
    let linked: Vec<String> = tracked(app).await?.difference(&before).cloned().collect();
    if !linked.is_empty() {
        plan(app).await?;
        done.extend(refresh_symbols(app, &linked, progress).await?);
    }
    Ok(done)
}

async fn tracked(app: &App) -> Result<BTreeSet<String>, Error> {
    Ok(tracking::tracked_symbols(&mut app.store.read().await?).await?.into_iter().collect())
}

async fn refresh_symbols(app: &App, symbols: &[String], progress: &dyn Fn(usize, usize)) -> Result<Vec<Refreshed>, Error> {
    let work = symbols_by_topic(app, symbols).await?;
    let done = refresh_all(app, &work, progress).await;
    if done.is_err() {
        release(app).await?;
    }
    save_health(app).await?;
    done
}

/// Makes everything due that is tracked, for the node that refreshes.
pub async fn refresh_soon(app: &App) -> Result<(), Error> {
    if app.sources().is_empty() {
        return Err(refusal::Market::NoProvider.into());
    }
    plan(app).await?;
    let work = symbols_by_topic(app, &[]).await?;
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    for (topic, symbols) in &work {
        let symbols: Vec<&str> = symbols.iter().map(String::as_str).collect();
        refreshes::enqueue(&mut tx, *topic, &symbols, app.clock.now_micros()).await?;
    }
    Ok(tx.commit().await?)
}

/// Claims a few at a time: if the command is interrupted, a server can continue with the rest.
async fn refresh_all(app: &App, work: &[(Topic, Vec<String>)], progress: &dyn Fn(usize, usize)) -> Result<Vec<Refreshed>, Error> {
    let total = work.iter().map(|(_, symbols)| symbols.len()).sum();
    let mut refreshed = Vec::new();
    for (topic, symbols) in work {
        let at_once = if *topic == Topic::Quote { quotes_in_hand(app) } else { 1 };
        for part in symbols.chunks(at_once) {
            let claims = claim(app, *topic, part).await?;
            let mut outcomes = match claims.is_empty() {
                true => Vec::new(),
                false => refresh::work(app, *topic, &app.jobs.holder, &claims).await?,
            };
            let taken = part.iter().filter(|symbol| claims.iter().all(|claim| claim.symbol != **symbol));
            outcomes.extend(taken.map(|symbol| (symbol.clone(), Outcome::Lost)));
            refreshed.extend(outcomes.into_iter().map(|(symbol, outcome)| Refreshed { topic: *topic, symbol, outcome }));
            progress(refreshed.len(), total);
        }
    }
    Ok(refreshed)
}

/// Those of the symbols that nobody else is working on.
async fn claim(app: &App, topic: Topic, symbols: &[String]) -> Result<Vec<Refresh>, Error> {
    let symbols: Vec<&str> = symbols.iter().map(String::as_str).collect();
    let now = app.clock.now_micros();
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    let claims = refreshes::claim_symbols(&mut tx, topic, &symbols, now, now + LEASE_MICROS, &app.jobs.holder).await?;
    tx.commit().await?;
    Ok(claims)
}

async fn release(app: &App) -> Result<(), Error> {
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    refreshes::release(&mut tx, &app.jobs.holder).await?;
    Ok(tx.commit().await?)
}

/// The symbols to refresh, by topic.
async fn symbols_by_topic(app: &App, symbols: &[String]) -> Result<Vec<(Topic, Vec<String>)>, Error> {
    let symbols: Vec<String> = symbols.iter().map(|symbol| symbol.trim().to_uppercase()).collect();
    let tracked = tracking::tracked_symbols(&mut app.store.read().await?).await?;
    if let Some(stranger) = symbols.iter().find(|symbol| !tracked.contains(symbol)) {
        return Err(refusal::Market::NotTracked { symbol: stranger.clone() }.into());
    }
    let of_topic = |topic: Topic| match (topic.is_per_symbol(), symbols.is_empty()) {
        (false, true) => vec![String::new()],
        (false, false) => Vec::new(),
        (true, all) => {
            let wanted = if all { &tracked } else { &symbols };
            wanted.iter().filter(|symbol| is_refreshed(topic, symbol)).cloned().collect()
        }
    };
    Ok(topics(app).into_iter().map(|topic| (topic, of_topic(topic))).collect())
}
