//! Single stocks, and the stock search.

use std::sync::Arc;

use jiff::Timestamp;
use ledger::upcoming::Item;
use ledger::{Currency, Decimal, Metrics, Money};
use store::{Tx, Versions, name_key, stocks, versions};
use uuid::Uuid;

use crate::book::{Book, Holding};
use crate::market::live;
use crate::market::profile::derive;
use crate::stocks::search::{Built, Index, Listing, RESULTS_MAX};
use crate::stocks::{listed, stock_visibility};
use crate::{App, Error, Viewer};

pub struct Stock {
    pub symbol: String,
    pub currency: Currency,
    pub name: Option<String>,
    pub industry: Option<String>,
    pub sector: Option<String>,
    pub exchange: Option<String>,
    pub instrument_type: Option<String>,
    pub price: Option<Price>,
    /// Fraction of earnings.
    pub payout_ratio: Option<Decimal>,
    /// Free cash flow ÷ dividends.
    pub fcf_cover: Option<Decimal>,
    pub metrics: Metrics,
    /// The payment with the next ex-date, declared or estimated.
    pub next_ex: Option<Item>,
}

impl Stock {
    /// Forward annual dividend per share; `None` if it is zero, or cannot be converted to the currency the stock trades in.
    pub fn annual(&self) -> Option<Money> {
        let annual = Money::new(self.metrics.forward_rate, self.metrics.rate_currency);
        (annual.currency == self.currency && !annual.amount.is_zero()).then_some(annual)
    }
}

/// A price to show: live, or the last known.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    pub amount: Decimal,
    pub live: bool,
    pub as_of: Option<Timestamp>,
}

/// The live price of a tracked stock, for somebody who waits two seconds at most. `None` if there is no provider, or if the
/// stored price is the latest.
pub async fn price_now(app: &App, symbol: &str, viewer: Viewer) -> Result<Option<Price>, Error> {
    if app.sources().market.is_empty() {
        return Ok(None);
    }
    // No transaction stays open while waiting for a provider.
    let stock = stock_visibility::tracked(app, &mut app.store.read().await?, symbol, viewer).await?;
    let Some(stock) = stock else { return Ok(None) };
    if let Some(quote) = live::quote(app, &stock).await {
        return Ok(Some(Price { amount: quote.price, live: true, as_of: None }));
    }
    let unsaved = live::unsaved(app, &stock).filter(|quote| Some(quote.as_of.as_microsecond()) > stock.price_as_of);
    Ok(unsaved.map(|quote| Price { amount: quote.price, live: false, as_of: Some(quote.as_of) }))
}

/// The stock, if it is tracked and visible to the viewer: at the given price, else at the stored one.
pub async fn stock(app: &App, symbol: &str, price: Option<Price>, viewer: Viewer) -> Result<Option<Stock>, Error> {
    // Whether a user may see it depends on that user's data.
    match viewer {
        Viewer::User(_) => read(app, app.store.read().await?, symbol, price, viewer).await,
        _ => app.store.with_market(|tx| read(app, tx, symbol, price.clone(), viewer)).await,
    }
}

async fn read(app: &App, mut tx: Tx, symbol: &str, price: Option<Price>, viewer: Viewer) -> Result<Option<Stock>, Error> {
    let today = app.clock.today();
    let Some(seen) = stock_visibility::tracked(app, &mut tx, symbol, viewer).await? else { return Ok(None) };
    let versions = versions::get(&mut tx).await?;
    let fx = app.rates.at(&mut tx, versions.rates).await?;
    let Some(profile) = app.profiles.get(&mut tx, symbol, versions, today, &fx).await? else { return Ok(None) };
    let stock = &profile.stock;
    let metrics = match &price {
        Some(price) if Some(price.amount) != stock.price => {
            let repriced = stocks::Stock { price: Some(price.amount), ..stock.clone() };
            derive(&mut tx, repriced, today, &fx).await?.metrics
        }
        _ => profile.metrics.clone(),
    };
    Ok(Some(Stock {
        symbol: stock.symbol.clone(),
        currency: seen.currency,
        name: stock.name.clone(),
        industry: stock.industry.clone(),
        sector: stock.sector.clone(),
        exchange: stock.exchange.clone(),
        instrument_type: stock.instrument_type.clone(),
        price: price.or(stock.price.map(|amount| Price { amount, live: false, as_of: stock.price_time() })),
        payout_ratio: stock.payout_ratio,
        fcf_cover: stock.fcf_cover,
        next_ex: ledger::upcoming::next_ex(&metrics, today),
        metrics,
    }))
}

pub struct Hit {
    pub symbol: String,
    pub tracked: bool,
    pub name: Option<String>,
    pub exchange: Option<String>,
    pub kind: Option<String>,
}

/// Everything that can be found, as of its versions; an older index is used while a new one is being built.
pub struct Catalogue {
    pub versions: Versions,
    built: Arc<Built>,
}

pub async fn catalogue(app: &App) -> Result<Catalogue, Error> {
    let (versions, built) = app.search.current(&app.store, app.public_holders).await?;
    Ok(Catalogue { versions, built })
}

impl Catalogue {
    /// Best match first, at most ten. Strangers search public stocks; users search all known ones and their [`own`] symbols.
    pub fn search(&self, q: &str, own: Option<&[String]>) -> Vec<Hit> {
        let Some(own) = own else { return self.built.index.search_public(q).into_iter().map(Hit::from).collect() };
        let known = self.built.index.search(q);
        if own.is_empty() {
            return known.into_iter().map(Hit::from).collect();
        }
        // The best overall are among the best of these and the user's own: ranks do not depend on what else is searched.
        let found: Vec<&str> = known.iter().map(|hit| hit.symbol).collect();
        let own = own.iter().filter(|symbol| !found.contains(&symbol.as_str())).map(|symbol| Listing::unconfirmed(symbol));
        Index::build(known.iter().copied().map(Listing::from).chain(own)).search(q).into_iter().map(Hit::from).collect()
    }
}

/// The symbols that the user holds or watches and market data has not confirmed: nobody else finds them.
pub async fn own(app: &App, user_id: Uuid) -> Result<Vec<String>, Error> {
    Ok(stocks::placeholders::of_user(&mut app.store.read().await?, user_id).await?)
}

impl From<crate::stocks::search::Hit<'_>> for Hit {
    fn from(hit: crate::stocks::search::Hit<'_>) -> Hit {
        Hit {
            symbol: hit.symbol.to_owned(),
            tracked: hit.tracked,
            name: hit.name.map(str::to_owned),
            exchange: hit.exchange.map(str::to_owned),
            kind: hit.kind.map(str::to_owned),
        }
    }
}

/// The securities that somebody may mean with a name, ticker or ISIN. A provider is only asked if nothing here matches or if
/// `ask` is set.
pub async fn meant(app: &App, text: &str, user_id: Uuid, ask: bool) -> Result<Vec<Hit>, Error> {
    let mut hits = match importers::fields::isin("isin", text.trim()) {
        Ok(isin) => of_isin(app, &isin).await?,
        Err(_) => Vec::new(),
    };
    let held = held(app, text, user_id).await?;
    let mut others = catalogue(app).await?.search(text, Some(&own(app, user_id).await?));
    if ask || (hits.is_empty() && others.is_empty() && held.is_empty()) {
        others = wider_search(app, text, user_id).await?;
    }
    for other in others.into_iter().chain(held) {
        if hits.iter().all(|hit| hit.symbol != other.symbol) {
            hits.push(other);
        }
    }
    hits.truncate(RESULTS_MAX);
    Ok(hits)
}

/// The user's securities that the ledger has under this name or ISIN.
async fn held(app: &App, text: &str, user_id: Uuid) -> Result<Vec<Hit>, Error> {
    let wanted = name_key::key(text);
    let is_named = |name: &str| !wanted.is_empty() && name_key::key(name).contains(&wanted);
    let book = Book::open(app, user_id, None).await?;
    let isin = text.trim().to_uppercase();
    let meant = |one: &&Arc<Holding>| one.isin.as_ref() == Some(&isin) || one.name.as_deref().is_some_and(is_named);
    let hit = |one: &Arc<Holding>| Hit {
        symbol: one.symbol.clone(),
        tracked: true,
        name: one.name.clone(),
        exchange: None,
        kind: None,
    };
    Ok(book.holdings.iter().filter(meant).map(hit).collect())
}

async fn of_isin(app: &App, isin: &str) -> Result<Vec<Hit>, Error> {
    let mut stored = stocks::by_isins(&mut app.store.read().await?, &[isin]).await?.concat();
    stored.retain(|stock| !stock.placeholder);
    let listed = app.reference.iter().flat_map(|reference| reference.listings.by_isin(isin)).map(|one| listed::stock(&one));
    let unstored: Vec<_> = listed.filter(|one| stored.iter().all(|stock| stock.symbol != one.symbol)).collect();
    Ok(stored.into_iter().chain(unstored).map(Hit::from).collect())
}

impl From<stocks::Stock> for Hit {
    fn from(stock: stocks::Stock) -> Hit {
        let stocks::Stock { symbol, name, exchange, kind, tracked, .. } = stock;
        Hit { symbol, tracked, name, exchange, kind }
    }
}

/// Our own results, followed by a provider's if there is space, each symbol once.
pub async fn wider_search(app: &App, q: &str, user_id: Uuid) -> Result<Vec<Hit>, Error> {
    let mut hits = catalogue(app).await?.search(q, Some(&own(app, user_id).await?));
    if hits.len() >= RESULTS_MAX {
        return Ok(hits);
    }
    let matches = live::matches(app, q).await;
    let mut tx = app.store.read().await?;
    for one in matches {
        if hits.len() < RESULTS_MAX && hits.iter().all(|hit| hit.symbol != one.symbol) {
            let tracked = stock_visibility::tracked(app, &mut tx, &one.symbol, Viewer::User(user_id)).await?.is_some();
            hits.push(Hit { symbol: one.symbol, tracked, name: one.name, exchange: one.exchange, kind: one.kind });
        }
    }
    Ok(hits)
}
