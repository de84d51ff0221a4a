//! Splits from market data, and what they change for those who hold the stock.

use ledger::Split;
use store::{Tx, splits};

use crate::book::refresh;
use crate::{App, Error};

/// Stores them. True if one is new or changed.
pub(crate) async fn put(app: &App, tx: &mut Tx, symbol: &str, rows: &[Split]) -> Result<bool, Error> {
    let stored = splits::of_symbol(tx, symbol).await?;
    let new: Vec<Split> = rows.iter().filter(|row| !stored.contains(row)).copied().collect();
    if new.is_empty() {
        return Ok(false);
    }
    splits::upsert(tx, symbol, &new).await?;
    refresh::split_learned(app, tx, symbol).await?;
    Ok(true)
}
