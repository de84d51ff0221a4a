//! Which stocks somebody may know of: users those of market data, and the symbols that their own ledger or radar names; strangers
//! those that are public, so that a small service does not tell them what its users own.
//!
//! A symbol that market data has not confirmed is what one user typed. To everybody else it is as if it were not there, and
//! what it trades in is, to each user, the currency of their own earliest entry.

use store::stocks::{self, Stock};
use store::{Tx, entries, radar, tracking};
use uuid::Uuid;

use crate::{App, Error};

/// Who looks at a stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewer {
    /// Nobody signed in: sees what is public.
    Stranger,
    /// Any user: sees what is tracked, and of symbols that market data has not confirmed none.
    AnyUser,
    /// This user: the same, and their own symbols.
    User(Uuid),
}

/// From how many users on, who hold or watch a stock, strangers see it. What the operator tracks they always see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicHolders(pub u32);

impl Default for PublicHolders {
    fn default() -> PublicHolders {
        PublicHolders(3)
    }
}

impl PublicHolders {
    /// With 0 it is a number that nothing reaches.
    pub(crate) fn min(self) -> i64 {
        if self.0 == 0 { i64::MAX } else { self.0.into() }
    }
}

/// Without a user, what market data knows and nothing else.
pub(crate) async fn stock(tx: &mut Tx, symbol: &str, viewer: Option<Uuid>) -> Result<Option<Stock>, Error> {
    let Some(stock) = stocks::by_symbol(tx, symbol).await? else { return Ok(None) };
    match viewer {
        _ if !stock.placeholder => Ok(Some(stock)),
        Some(user_id) => own(tx, stock, user_id).await,
        None => Ok(None),
    }
}

/// The stock, where the viewer may know of it and it is tracked: by whomever, or by the viewer where it is their own symbol.
pub(crate) async fn tracked(app: &App, tx: &mut Tx, symbol: &str, viewer: Viewer) -> Result<Option<Stock>, Error> {
    // First, so that what is not public takes as long as what there is not.
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
