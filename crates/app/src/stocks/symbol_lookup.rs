//! Looks up new symbols immediately, and refuses those that do not exist.

use market::validation::{self, Known};
use market::{Found, Quote, Urgency};
use store::WriteLock;
use store::stocks::{self, Stock};
use store::{provenance, versions};
use uuid::Uuid;

use crate::stocks::{listed, stock_visibility};
use crate::{App, Error, refusal};

/// Makes every symbol known, or reports one that is not; then nothing is changed. A symbol that only another user's ledger
/// mentions is unknown to this user and to the operator.
pub(crate) async fn ensure_known(app: &App, symbols: &[String], user_id: Option<Uuid>) -> Result<(), Error> {
    let mut tx = app.store.read().await?;
    let mut missing = Vec::new();
    for symbol in symbols {
        if stock_visibility::stock(&mut tx, symbol, user_id).await?.is_none() {
            missing.push(symbol.clone());
        }
    }
    drop(tx);
    if missing.is_empty() {
        return Ok(());
    }
    let is_unlisted = |symbol: &&String| listed::listing(app.reference, symbol).is_none();
    if app.sources().market.is_empty() {
        return match missing.iter().find(is_unlisted) {
            Some(symbol) => Err(refusal::Lookup::NoProvider { symbol: symbol.clone() }.into()),
            None => add(app, &missing, Vec::new()).await,
        };
    }
    let mut quotes = app.sources().market.quotes(&missing, Urgency::Live).await;
    if let Some(symbol) = quotes.unknown.iter().find(is_unlisted) {
        return Err(refusal::Lookup::Unknown { symbol: symbol.clone() }.into());
    }
    if let Some((symbol, failure)) = quotes.failed.iter().find(|(symbol, _)| is_unlisted(symbol)) {
        return Err(refusal::Lookup::Failed { symbol: symbol.clone(), failure: failure.clone() }.into());
    }
    let mut plausible = Vec::new();
    for found in quotes.found.drain(..) {
        let quote = &found.answer;
        match validation::quote(&Known::default(), quote, app.clock.now()) {
            Ok(_) => plausible.push(found),
            Err(rejected) if is_unlisted(&&quote.symbol) => {
                let (symbol, price, reason) = (quote.symbol.clone(), rejected.value, rejected.reason);
                return Err(refusal::Lookup::ImplausiblePrice { symbol, price, reason }.into());
            }
            Err(_) => {}
        }
    }
    add(app, &missing, plausible).await
}

/// With the price that was found, and what the reference data has; each symbol has at least one of them.
async fn add(app: &App, symbols: &[String], mut found: Vec<Found<Quote>>) -> Result<(), Error> {
    let now = app.clock.now_micros();
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    for symbol in symbols {
        // It may have become known, with more than a price, while the provider was asked. A symbol that only a ledger mentioned
        // is confirmed now.
        let before = stocks::by_symbol(&mut tx, symbol).await?;
        if before.as_ref().is_some_and(|stock| !stock.placeholder) {
            continue;
        }
        let tracked = before.is_some_and(|stock| stock.tracked);
        let listing = listed::listing(app.reference, symbol).map(|listing| listed::stock(&listing));
        let place = found.iter().position(|found| found.answer.symbol == *symbol);
        let quote = place.map(|place| found.swap_remove(place));
        let priced = quote.as_ref().map(|found| stock(&found.answer, listing.clone()));
        let Some(stock) = priced.or(listing.clone()) else { continue };
        stocks::upsert(&mut tx, &[Stock { tracked, ..stock.clone() }]).await?;
        if listing.is_some() {
            listed::put_provenance(app, &mut tx, &stock, quote.is_none()).await?;
        }
        if let Some(Found { provider, .. }) = quote {
            provenance::put(&mut tx, symbol, &[("price", provider)], now).await?;
        }
    }
    versions::bump_listings(&mut tx).await?;
    versions::bump_market(&mut tx).await?;
    Ok(tx.commit().await?)
}

fn stock(quote: &Quote, listing: Option<Stock>) -> Stock {
    Stock {
        currency: quote.unit.currency,
        quote_unit: quote.unit,
        price: Some(quote.price),
        price_as_of: Some(quote.as_of.as_microsecond()),
        ..listing.unwrap_or_else(|| Stock::new(quote.symbol.as_str(), quote.unit))
    }
}
