//! Live data for people who wait: a quote at most fifteen seconds old, and a provider's search results.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use store::WriteLock;

use jiff::Timestamp;
use market::validation;
use market::{Ability, Found, Market, Match, Quote, Urgency};
use quick_cache::sync::Cache;
use store::{stocks, versions};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::market::refresh::quotes::{self, Accepted};
use crate::{App, Error};

const QUOTE_AGE_MAX: Duration = Duration::from_secs(15);
/// After a failure, a provider is not asked again for every request of a burst.
const FAILURE_AGE_MAX: Duration = Duration::from_secs(5);
const MATCHES_AGE_MAX: Duration = Duration::from_secs(600);
const WAIT_MAX: Duration = Duration::from_secs(2);
/// After this time nobody waits any more, and another request may try.
const ASK_MAX: Duration = Duration::from_secs(30);
const QUOTES_KEPT: usize = 10_000;
const SEARCHES_KEPT: usize = 2_000;

pub(crate) struct Live {
    quotes: Cache<String, (Instant, Option<Quote>)>,
    matches: Cache<String, (Instant, Vec<Match>)>,
    /// Quotes not yet in the database, by symbol.
    unsaved: Mutex<HashMap<String, Found<Quote>>>,
    asking: Mutex<HashMap<String, PendingQuote>>,
}

type PendingQuote = watch::Receiver<Option<Option<Quote>>>;

impl Default for Live {
    fn default() -> Live {
        Live {
            quotes: Cache::new(QUOTES_KEPT),
            matches: Cache::new(SEARCHES_KEPT),
            unsaved: Mutex::default(),
            asking: Mutex::default(),
        }
    }
}

/// The current price in the unit that the stock trades in. `None` if there is no provider, or if it fails, takes longer than two
/// seconds, or returns an implausible price.
pub(crate) async fn quote(app: &App, stock: &stocks::Stock) -> Option<Quote> {
    if !app.sources().market.can(Ability::Quotes) {
        return None;
    }
    let quote = match app.live.cached_or_pending(app, stock) {
        Ok(held) => held,
        Err(mut asked) => timeout(WAIT_MAX, asked.wait_for(Option::is_some)).await.ok()?.ok()?.clone().flatten(),
    };
    // Checked against the stock as it is now: its currency may have become known since.
    quote.filter(|quote| quotes::plausible(stock, quote, app.clock.now()))
}

impl Live {
    /// One request per symbol at a time: the next one is only made when the answer of the first is cached and too old.
    fn cached_or_pending(self: &Arc<Live>, app: &App, stock: &stocks::Stock) -> Result<Option<Quote>, PendingQuote> {
        let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, held)) = self.quotes.get(&stock.symbol) {
            let age_max = if held.is_some() { QUOTE_AGE_MAX } else { FAILURE_AGE_MAX };
            if at.elapsed() < age_max {
                return Ok(held);
            }
        }
        if let Some(asked) = asking.get(&stock.symbol).filter(|asked| asked.has_changed().is_ok()) {
            return Err(asked.clone());
        }
        let (answer, asked) = watch::channel(None);
        asking.insert(stock.symbol.clone(), asked.clone());
        // In a separate task: if the caller gives up after two seconds, the answer is there for the next one.
        let (live, market, stock, now) = (self.clone(), app.sources().market.clone(), stock.clone(), app.clock.now());
        tokio::spawn(async move {
            let quote = timeout(ASK_MAX, live.ask(&market, &stock, now)).await.ok().flatten();
            live.asking.lock().unwrap_or_else(PoisonError::into_inner).remove(&stock.symbol);
            answer.send_replace(Some(quote));
        });
        Err(asked)
    }

    async fn ask(&self, market: &Market, stock: &stocks::Stock, now: Timestamp) -> Option<Quote> {
        let found = market.quotes(std::slice::from_ref(&stock.symbol), Urgency::Live).await.found.pop();
        let believed = found.filter(|found| quotes::plausible(stock, &found.answer, now));
        self.quotes.insert(stock.symbol.clone(), (Instant::now(), believed.as_ref().map(|found| found.answer.clone())));
        let found = believed?;
        let quote = found.answer.clone();
        self.unsaved.lock().unwrap_or_else(PoisonError::into_inner).insert(quote.symbol.clone(), found);
        Some(quote)
    }
}

/// The last quote shown that is not in the database yet.
pub(crate) fn unsaved(app: &App, stock: &stocks::Stock) -> Option<Quote> {
    let unsaved = app.live.unsaved.lock().unwrap_or_else(PoisonError::into_inner);
    let quote = unsaved.get(&stock.symbol).map(|found| found.answer.clone());
    quote.filter(|quote| quotes::plausible(stock, quote, app.clock.now()))
}

/// Stores the quotes that users saw, all in one transaction, so that answers change at most that often because of them.
pub async fn save(app: &App) -> Result<(), Error> {
    let seen: Vec<Found<Quote>> = app.live.unsaved.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
    if seen.is_empty() {
        return Ok(());
    }
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    let mut changed = false;
    for found in &seen {
        changed |= quotes::accept(&mut tx, found, app.clock.now()).await? == Accepted::Changed;
    }
    if changed {
        versions::bump_market(&mut tx).await?;
    }
    tx.commit().await?;
    app.live.unsaved.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, found| !seen.contains(found));
    Ok(())
}

/// A provider's search results; none if it fails or takes longer than two seconds.
pub(crate) async fn matches(app: &App, text: &str) -> Vec<Match> {
    if !app.sources().market.can(Ability::Search) {
        return Vec::new();
    }
    let key = text.trim().to_lowercase();
    if let Some((at, held)) = app.live.matches.get(&key)
        && at.elapsed() < MATCHES_AGE_MAX
    {
        return held;
    }
    let answer = timeout(WAIT_MAX, app.sources().market.search(text)).await;
    match answer {
        Ok(Ok(found)) => {
            let matches: Vec<Match> = found.answer.into_iter().filter_map(validation::hit).collect();
            app.live.matches.insert(key, (Instant::now(), matches.clone()));
            matches
        }
        _ => Vec::new(),
    }
}
