//! Apps that the operator removed. An app with such an id is refused, whatever it claims to be.

use crate::row::Row;
use crate::statement::statements;
use crate::{Error, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockedClient {
    pub client_id: String,
    /// The last name it used, or its id if none is known.
    pub name: String,
    pub blocked_at: i64,
}

/// False if it was already blocked.
pub async fn add(tx: &mut Tx, blocked: &BlockedClient) -> Result<bool, Error> {
    let params = [blocked.client_id.as_str().into(), blocked.name.as_str().into(), blocked.blocked_at.into()];
    Ok(tx.execute(&ADD, &params).await? > 0)
}

pub async fn by_id(tx: &mut Tx, client_id: &str) -> Result<Option<BlockedClient>, Error> {
    tx.query_one(&BY_ID, &[client_id.into()], blocked_client).await
}

/// Oldest first.
pub async fn list(tx: &mut Tx) -> Result<Vec<BlockedClient>, Error> {
    tx.query(&LIST, &[], blocked_client).await
}

/// False if it was not blocked.
pub async fn delete(tx: &mut Tx, client_id: &str) -> Result<bool, Error> {
    Ok(tx.execute(&DELETE, &[client_id.into()]).await? > 0)
}

fn blocked_client(row: &Row<'_>) -> Result<BlockedClient, Error> {
    Ok(BlockedClient { client_id: row.text(0)?, name: row.text(1)?, blocked_at: row.i64(2)? })
}

statements! {
    ADD = "INSERT INTO oauth_blocked_clients (client_id, name, blocked_at) VALUES ($1, $2, $3)
        ON CONFLICT (client_id) DO NOTHING",
        [Text, Text, Integer] => [];
    BY_ID = "SELECT client_id, name, blocked_at FROM oauth_blocked_clients WHERE client_id = $1",
        [Text] => [Text, Text, Integer];
    LIST = "SELECT client_id, name, blocked_at FROM oauth_blocked_clients ORDER BY blocked_at, client_id",
        [] => [Text, Text, Integer];
    DELETE = "DELETE FROM oauth_blocked_clients WHERE client_id = $1", [Text] => [];
}
