//! Single stocks, and the search among them.

use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use jiff::Timestamp;
use ledger::{Currency, Decimal, Metrics};
use store::{Tx, Versions, stocks, tracking, versions};

use crate::search::{Index, Listing};
use crate::{App, Error};

pub struct Stock {
    pub symbol: String,
    pub currency: Currency,
    pub name: Option<String>,
    pub industry: Option<String>,
    pub sector: Option<String>,
    pub instrument_type: Option<String>,
    pub price: Option<StoredPrice>,
    pub metrics: Metrics,
}

pub struct StoredPrice {
    pub amount: Decimal,
    pub as_of: Option<Timestamp>,
}

/// The stock, when the service tracks it.
pub async fn stock(app: &App, symbol: &str) -> Result<Option<Stock>, Error> {
    let today = app.clock.today();
    let mut tx = app.store.read().await?;
    if !tracking::is_tracked(&mut tx, symbol).await? {
        return Ok(None);
    }
    let market_version = versions::get(&mut tx).await?.market;
    let fx = app.rates.at(&mut tx, market_version).await?;
    let Some(profile) = app.profiles.of(&mut tx, symbol, market_version, today, &fx).await? else { return Ok(None) };
    let stock = &profile.stock;
    Ok(Some(Stock {
        symbol: stock.symbol.clone(),
        currency: stock.currency,
        name: stock.name.clone(),
        industry: stock.industry.clone(),
        sector: stock.sector.clone(),
        instrument_type: stock.instrument_type.clone(),
        price: stock
            .price
            .map(|amount| StoredPrice { amount, as_of: stock.price_as_of.and_then(|at| Timestamp::from_microsecond(at).ok()) }),
        metrics: profile.metrics.clone(),
    }))
}

pub struct Hit {
    pub symbol: String,
    pub tracked: bool,
    pub name: Option<String>,
    pub exchange: Option<String>,
    pub kind: Option<String>,
}

/// The search index in memory, built anew when market data or tracking has changed.
#[derive(Default)]
pub(crate) struct Search {
    index: ArcSwapOption<(Versions, Index)>,
    building: tokio::sync::Mutex<()>,
}

/// Best match first, ten at most. Strangers search what is tracked, users everything that is known.
pub async fn search(app: &App, q: &str, signed_in: bool) -> Result<Vec<Hit>, Error> {
    let index = app.search.current(app).await?;
    let hits = index.1.search(q, !signed_in);
    Ok(hits
        .into_iter()
        .map(|hit| Hit {
            symbol: hit.symbol.to_owned(),
            tracked: hit.tracked,
            name: hit.name.map(str::to_owned),
            exchange: hit.exchange.map(str::to_owned),
            kind: hit.kind.map(str::to_owned),
        })
        .collect())
}

impl Search {
    async fn current(&self, app: &App) -> Result<Arc<(Versions, Index)>, Error> {
        let wanted = app.store.versions().await?;
        let held = || self.index.load_full().filter(|index| index.0 == wanted);
        if let Some(index) = held() {
            return Ok(index);
        }
        let _one_at_a_time = self.building.lock().await;
        if let Some(index) = held() {
            return Ok(index);
        }
        let mut tx = app.store.read().await?;
        let versions = versions::get(&mut tx).await?;
        let index = Arc::new((versions, build(&mut tx).await?));
        self.index.store(Some(index.clone()));
        Ok(index)
    }
}

async fn build(tx: &mut Tx) -> Result<Index, Error> {
    let followers: HashMap<String, i64> = tracking::counts(tx).await?.into_iter().collect();
    let listings = stocks::listings(tx).await?;
    let followers_of = |symbol: &str| followers.get(symbol).copied().unwrap_or(0);
    // A symbol that only a ledger named, and nobody holds any more, is nobody else's business.
    let public = listings.into_iter().filter(|stock| !stock.placeholder || followers_of(&stock.symbol) > 0);
    Ok(Index::build(public.map(|stock| {
        let followers = followers_of(&stock.symbol);
        Listing {
            tracked: stock.tracked || followers > 0,
            followers: u32::try_from(followers).unwrap_or(u32::MAX),
            symbol: stock.symbol,
            name: stock.name,
            exchange: stock.exchange,
            kind: stock.kind,
        }
    })))
}
