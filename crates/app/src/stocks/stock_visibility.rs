//! Which stocks a viewer may see. Users see those in market data and the symbols in their own ledger or watchlist; strangers see
//! public ones, so that a small service does not reveal what its users own.
//!
//! A symbol that market data has not confirmed is something a user typed. For everybody else it does not exist, and its currency
//! is, for each user, that of their own earliest entry.

use store::stocks::{self, Stock};
use store::{Tx, entries, radar, tracking};
use uuid::Uuid;

use crate::{App, Error};

/// Who views a stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// Not signed in: sees what is public.
    Stranger,
    /// Any user: sees tracked stocks, but no unconfirmed symbols.
    AnyUser,
    /// This user: the same, and their own symbols.
    User(Uuid),
}

/// The number of users who must hold or watch a stock before strangers see it. Stocks tracked by the operator are always public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicHolders(pub u32);

impl Default for PublicHolders {
    fn default() -> PublicHolders {
        PublicHolders(3)
    }
}

impl PublicHolders {
    /// 0 becomes a number that is never reached.
    pub(crate) fn min(self) -> i64 {
        if self.0 == 0 { i64::MAX } else { self.0.into() }
    }
}

/// Without a user, only what market data knows.
pub(crate) async fn stock(tx: &mut Tx, symbol: &str, viewer: Option<Uuid>) -> Result<Option<Stock>, Error> {
    let Some(stock) = stocks::by_symbol(tx, symbol).await? else { return Ok(None) };
    match viewer {
        _ if !stock.placeholder => Ok(Some(stock)),
        Some(user_id) => own(tx, stock, user_id).await,
        None => Ok(None),
    }
}

/// The stock, if it is visible to the viewer and tracked: by anybody, or by the viewer if it is their own symbol.
pub(crate) async fn tracked(app: &App, tx: &mut Tx, symbol: &str, viewer: Viewer) -> Result<Option<Stock>, Error> {
    // Checked first, so that a stock that is not public takes as long as one that does not exist.
    if viewer == Viewer::Stranger && !tracking::is_public(tx, symbol, app.public_holders.min()).await? {
        return Ok(None);
    }
    let user_id = if let Viewer::User(user_id) = viewer { Some(user_id) } else { None };
    let Some(stock) = stock(tx, symbol, user_id).await? else { return Ok(None) };
    let tracked = match user_id.filter(|_| stock.placeholder) {
        Some(user_id) => tracking::has(tx, user_id, symbol).await?,
        None => viewer == Viewer::Stranger || tracking::is_tracked(tx, symbol).await?,
    };
    Ok(tracked.then_some(stock))
}

async fn own(tx: &mut Tx, stock: Stock, user_id: Uuid) -> Result<Option<Stock>, Error> {
    if let Some(currency) = entries::currency_of(tx, user_id, &stock.symbol).await? {
        return Ok(Some(Stock { currency, quote_unit: currency.into(), ..stock }));
    }
    Ok(radar::has(tx, user_id, &stock.symbol).await?.then_some(stock))
}
