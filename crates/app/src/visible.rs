//! Which stocks somebody may know of: those of market data, and the symbols that their own ledger or radar names.
//!
//! A symbol that market data has not confirmed is what one user typed. To everybody else it is as if it were not there, and
//! what it trades in is, to each user, the currency of their own earliest entry.

use store::stocks::{self, Stock};
use store::{Tx, entries, radar, tracking};
use uuid::Uuid;

use crate::Error;

/// Nobody signed in sees what market data knows, and nothing else.
pub(crate) async fn stock(tx: &mut Tx, symbol: &str, viewer: Option<Uuid>) -> Result<Option<Stock>, Error> {
    let Some(stock) = stocks::by_symbol(tx, symbol).await? else { return Ok(None) };
    match viewer {
        _ if !stock.placeholder => Ok(Some(stock)),
        Some(user_id) => own(tx, stock, user_id).await,
        None => Ok(None),
    }
}

/// The same, where somebody holds or watches it or the operator tracks it; what is not confirmed, where the viewer does.
pub(crate) async fn tracked(tx: &mut Tx, symbol: &str, viewer: Option<Uuid>) -> Result<Option<Stock>, Error> {
    let Some(stock) = stock(tx, symbol, viewer).await? else { return Ok(None) };
    let tracked = match viewer.filter(|_| stock.placeholder) {
        Some(user_id) => tracking::has(tx, user_id, symbol).await?,
        None => tracking::is_tracked(tx, symbol).await?,
    };
    Ok(tracked.then_some(stock))
}

async fn own(tx: &mut Tx, stock: Stock, user_id: Uuid) -> Result<Option<Stock>, Error> {
    if let Some(currency) = entries::currency_of(tx, user_id, &stock.symbol).await? {
        return Ok(Some(Stock { currency, quote_unit: currency.into(), ..stock }));
    }
    Ok(radar::has(tx, user_id, &stock.symbol).await?.then_some(stock))
}
