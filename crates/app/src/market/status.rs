//! The state of market data: what is known, what is due, what failed, what was rejected.

use jiff::civil::Date;
use store::provenance::{self, Provenance};
use store::providers::{self, ProviderState};
use store::refreshes::{self, Overview, Refresh};
use store::rejected_values::{self, RejectedValue};
use store::{fx_rates, stocks, tracking, versions};

use crate::market::sources::Origin;
use crate::{App, Error};

/// How many of a kind are listed; the total is always given.
const LISTED_MAX: i64 = 50;

pub struct Status {
    pub stocks: usize,
    pub tracked: usize,
    /// Symbols in ledgers without market data.
    pub unknown: Vec<String>,
    pub newest_rate: Option<Date>,
    pub currencies: usize,
    pub market_version: i64,
    /// In order of preference; empty if there is none.
    pub sources: Vec<String>,
    pub origin: Origin,
    pub providers: Vec<ProviderState>,
    pub work: Vec<Overview>,
    pub failing: Vec<Refresh>,
    pub held_back: Vec<RejectedValue>,
    pub held_back_count: i64,
}

/// For frequent monitoring, without looking at every stock.
pub struct Vitals {
    pub tracked: usize,
    pub work: Vec<Overview>,
    pub held_back_count: i64,
}

pub async fn vitals(app: &App) -> Result<Vitals, Error> {
    let mut tx = app.store.read().await?;
    Ok(Vitals {
        tracked: tracking::tracked_symbols(&mut tx).await?.len(),
        work: refreshes::overview(&mut tx, app.clock.now_micros()).await?,
        held_back_count: rejected_values::count(&mut tx).await?,
    })
}

pub async fn status(app: &App) -> Result<Status, Error> {
    let Vitals { tracked, work, held_back_count } = vitals(app).await?;
    let mut tx = app.store.read().await?;
    let listings = stocks::listings(&mut tx).await?;
    let rates = fx_rates::latest(&mut tx, app.clock.today()).await?;
    Ok(Status {
        stocks: listings.iter().filter(|listing| !listing.placeholder).count(),
        tracked,
        unknown: listings.iter().filter(|listing| listing.placeholder).map(|listing| listing.symbol.clone()).collect(),
        newest_rate: rates.iter().map(|(_, date, _)| *date).max(),
        currencies: rates.len(),
        market_version: versions::get(&mut tx).await?.market,
        sources: app.sources().order.clone(),
        origin: app.sources().origin,
        providers: providers::all(&mut tx).await?,
        work,
        failing: refreshes::failing(&mut tx, LISTED_MAX).await?,
        held_back: rejected_values::list(&mut tx, LISTED_MAX).await?,
        held_back_count,
    })
}

/// One stock: the provider of each figure, and the rejected values.
pub struct StockStatus {
    pub provenance: Vec<Provenance>,
    pub held_back: Vec<RejectedValue>,
    pub work: Vec<Refresh>,
}

/// `None` if the symbol is unknown.
pub async fn stock_status(app: &App, symbol: &str) -> Result<Option<StockStatus>, Error> {
    let symbol = symbol.trim().to_uppercase();
    let mut tx = app.store.read().await?;
    if stocks::by_symbol(&mut tx, &symbol).await?.is_none() {
        return Ok(None);
    }
    Ok(Some(StockStatus {
        provenance: provenance::of_symbol(&mut tx, &symbol).await?,
        held_back: rejected_values::of_symbol(&mut tx, &symbol).await?,
        work: refreshes::of_symbol(&mut tx, &symbol).await?,
    }))
}
