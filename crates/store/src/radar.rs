//! The watchlist: stocks a user follows without holding them.

use rust_decimal::Decimal;
use uuid::Uuid;

use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = radar [user_id, symbol] { user_id: Uuid }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Watched {
        pub symbol: String,
        pub added_at: i64,
        /// The user's target.
        pub target_yield_pct: Option<Decimal>,
        pub target_price: Option<Decimal>,
    }
}

/// False if it was already there.
pub async fn add(tx: &mut Tx, user_id: Uuid, symbol: &str, at: i64) -> Result<bool, Error> {
    Ok(tx.execute(&ADD, &[user_id.into(), symbol.into(), at.into()]).await? > 0)
}

/// False if it was not there.
pub async fn remove(tx: &mut Tx, user_id: Uuid, symbol: &str) -> Result<bool, Error> {
    Ok(tx.execute(&REMOVE, &[user_id.into(), symbol.into()]).await? > 0)
}

/// In the order they were added.
pub async fn list(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Watched>, Error> {
    tx.query(&LIST, &[user_id.into()]).await
}

pub async fn has(tx: &mut Tx, user_id: Uuid, symbol: &str) -> Result<bool, Error> {
    Ok(tx.query_one(&HAS, &[user_id.into(), symbol.into()]).await?.is_some())
}

/// False if it is not on the watchlist.
pub async fn set_target(
    tx: &mut Tx,
    user_id: Uuid,
    symbol: &str,
    yield_pct: Option<Decimal>,
    price: Option<Decimal>,
) -> Result<bool, Error> {
    Ok(tx.execute(&SET_TARGET, &[yield_pct.into(), price.into(), user_id.into(), symbol.into()]).await? > 0)
}

statements! {
    ADD = "INSERT INTO radar (user_id, symbol, added_at) VALUES ($1, $2, $3) ON CONFLICT (user_id, symbol) DO NOTHING",
        [Uuid, Text, Integer] => ();
    REMOVE = "DELETE FROM radar WHERE user_id = $1 AND symbol = $2", [Uuid, Text] => ();
    LIST = "SELECT * FROM radar WHERE user_id = $1 ORDER BY added_at, symbol", [Uuid] => Watched;
    HAS = "SELECT symbol FROM radar WHERE user_id = $1 AND symbol = $2", [Uuid, Text] => String;
    SET_TARGET = "UPDATE radar SET target_yield_pct = $1, target_price = $2 WHERE user_id = $3 AND symbol = $4",
        [Decimal, Decimal, Uuid, Text] => ();
}
