//! Looks up new symbols immediately, and refuses those that do not exist.

use market::validation::{self, Known};
use market::{Found, Quote, Urgency};
use store::WriteLock;
use store::stocks::{self, Stock};
use store::{provenance, versions};
use uuid::Uuid;

use crate::stocks::stock_visibility;
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
    let Some(first) = missing.first() else { return Ok(()) };
    if app.sources.market.is_empty() {
        return Err(refusal::Lookup::NoProvider { symbol: first.clone() }.into());
    }
    let quotes = app.sources.market.quotes(&missing, Urgency::Live).await;
    if let Some(symbol) = quotes.unknown.first() {
        return Err(refusal::Lookup::Unknown { symbol: symbol.clone() }.into());
    }
    if let Some((symbol, failure)) = quotes.failed.first_key_value() {
        return Err(refusal::Lookup::Failed { symbol: symbol.clone(), failure: failure.clone() }.into());
    }
    for Found { answer: quote, .. } in &quotes.found {
        if let Err(rejected) = validation::quote(&Known::default(), quote, app.clock.now()) {
            return Err(refusal::Lookup::ImplausiblePrice {
                symbol: quote.symbol.clone(),
                price: rejected.value,
                reason: rejected.reason,
            }
            .into());
        }
    }
    add(app, quotes.found).await
}

async fn add(app: &App, found: Vec<Found<Quote>>) -> Result<(), Error> {
    let now = app.clock.now_micros();
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    for Found { provider, answer: quote } in found {
        // It may have become known, with more than a price, while the provider was asked. A symbol that only a ledger mentioned
        // is confirmed now.
        let before = stocks::by_symbol(&mut tx, &quote.symbol).await?;
        if before.as_ref().is_some_and(|stock| !stock.placeholder) {
            continue;
        }
        let tracked = before.is_some_and(|stock| stock.tracked);
        stocks::upsert(&mut tx, &[Stock { tracked, ..stock(&quote) }]).await?;
        provenance::put(&mut tx, &quote.symbol, &[("price", provider)], now).await?;
    }
    versions::bump_listings(&mut tx).await?;
    versions::bump_market(&mut tx).await?;
    Ok(tx.commit().await?)
}

fn stock(quote: &Quote) -> Stock {
    Stock {
        price: Some(quote.price),
        price_as_of: Some(quote.as_of.as_microsecond()),
        ..Stock::new(quote.symbol.as_str(), quote.unit)
    }
}
