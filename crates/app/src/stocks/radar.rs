//! The watchlist: stocks a user follows without holding them, and their targets.

use ledger::Decimal;
use store::{Tx, radar, users};
use uuid::Uuid;

use crate::book::refresh;
use crate::stocks::symbol_lookup;
use crate::{App, Error, refusal};

/// A stock on the watchlist. Targets are in percent, and in the currency that the stock trades in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    pub symbol: String,
    pub target_yield_pct: Option<Decimal>,
    pub target_price: Option<Decimal>,
}

/// Unknown symbols are looked up; if one does not exist, it is reported and none is added.
pub async fn add(app: &App, user_id: Uuid, symbols: &[String]) -> Result<(), Error> {
    let symbols: Vec<String> = symbols.iter().map(|symbol| symbol.trim().to_uppercase()).collect();
    symbol_lookup::ensure_known(app, &symbols, Some(user_id)).await?;
    let mut tx = app.store.write_for(user_id).await?;
    for symbol in &symbols {
        radar::add(&mut tx, user_id, symbol, app.clock.now_micros()).await?;
    }
    finish(app, tx, user_id).await
}

pub async fn remove(app: &App, user_id: Uuid, symbols: &[String]) -> Result<(), Error> {
    let mut tx = app.store.write_for(user_id).await?;
    for symbol in symbols {
        let symbol = symbol.trim().to_uppercase();
        if !radar::remove(&mut tx, user_id, &symbol).await? {
            return Err(refusal::Watchlist::NotWatched { symbol }.into());
        }
    }
    finish(app, tx, user_id).await
}

/// Sets the user's targets; `None` removes a target.
pub async fn set_target(
    app: &App,
    user_id: Uuid,
    symbol: &str,
    target_yield_pct: Option<Decimal>,
    target_price: Option<Decimal>,
) -> Result<(), Error> {
    let symbol = symbol.trim().to_uppercase();
    if target_yield_pct.is_some_and(|target| target <= Decimal::ZERO || target > Decimal::ONE_HUNDRED) {
        return Err(refusal::Watchlist::TargetYield.into());
    }
    if target_price.is_some_and(|target| target <= Decimal::ZERO) {
        return Err(refusal::Watchlist::TargetPrice.into());
    }
    let mut tx = app.store.write_for(user_id).await?;
    if !radar::set_target(&mut tx, user_id, &symbol, target_yield_pct, target_price).await? {
        return Err(refusal::Watchlist::NotWatched { symbol }.into());
    }
    finish(app, tx, user_id).await
}

pub async fn list(app: &App, user_id: Uuid) -> Result<Vec<Watched>, Error> {
    let rows = radar::list(&mut app.store.read().await?, user_id).await?;
    let watched = |row: radar::Watched| Watched {
        symbol: row.symbol,
        target_yield_pct: row.target_yield_pct,
        target_price: row.target_price,
    };
    Ok(rows.into_iter().map(watched).collect())
}

async fn finish(app: &App, mut tx: Tx, user_id: Uuid) -> Result<(), Error> {
    refresh::all(app, &mut tx, user_id).await?;
    users::bump_version(&mut tx, user_id).await?;
    Ok(tx.commit().await?)
}
