//! Stocks a user watches without holding them.

use uuid::Uuid;

use crate::statement::statements;
use crate::{Error, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    pub symbol: String,
    pub added_at: i64,
}

/// False when it was there already.
pub async fn add(tx: &mut Tx, user_id: Uuid, symbol: &str, at: i64) -> Result<bool, Error> {
    Ok(tx.execute(&ADD, &[user_id.into(), symbol.into(), at.into()]).await? > 0)
}

/// False when it was not there.
pub async fn remove(tx: &mut Tx, user_id: Uuid, symbol: &str) -> Result<bool, Error> {
    Ok(tx.execute(&REMOVE, &[user_id.into(), symbol.into()]).await? > 0)
}

/// In the order they were added.
pub async fn list(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Watched>, Error> {
    tx.query(&LIST, &[user_id.into()], |row| Ok(Watched { symbol: row.text(0)?, added_at: row.i64(1)? })).await
}

statements! {
    ADD = "INSERT INTO radar (user_id, symbol, added_at) VALUES ($1, $2, $3) ON CONFLICT (user_id, symbol) DO NOTHING",
        [Uuid, Text, Integer] => [];
    REMOVE = "DELETE FROM radar WHERE user_id = $1 AND symbol = $2", [Uuid, Text] => [];
    LIST = "SELECT symbol, added_at FROM radar WHERE user_id = $1 ORDER BY added_at, symbol", [Uuid] => [Text, Integer];
}
