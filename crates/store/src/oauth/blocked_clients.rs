//! Apps that the operator removed. An app with such an id is refused, whatever it claims to be.

use crate::row::Columns;
use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = oauth_blocked_clients [client_id]

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct BlockedClient {
        pub client_id: String,
        /// The last name it used, or its id if none is known.
        pub name: String,
        pub blocked_at: i64,
    }
}

/// False if it was already blocked.
pub async fn add(tx: &mut Tx, blocked: &BlockedClient) -> Result<bool, Error> {
    Ok(tx.execute(&ADD, &blocked.params_after([])).await? > 0)
}

pub async fn by_id(tx: &mut Tx, client_id: &str) -> Result<Option<BlockedClient>, Error> {
    tx.query_one(&BY_ID, &[client_id.into()]).await
}

/// Oldest first.
pub async fn list(tx: &mut Tx) -> Result<Vec<BlockedClient>, Error> {
    tx.query(&LIST, &[]).await
}

/// False if it was not blocked.
pub async fn delete(tx: &mut Tx, client_id: &str) -> Result<bool, Error> {
    Ok(tx.execute(&DELETE, &[client_id.into()]).await? > 0)
}

statements! {
    ADD = TABLE.insert() + " ON CONFLICT (client_id) DO NOTHING", TABLE => ();
    BY_ID = "SELECT * FROM oauth_blocked_clients WHERE client_id = $1", [Text] => BlockedClient;
    LIST = "SELECT * FROM oauth_blocked_clients ORDER BY blocked_at, client_id", [] => BlockedClient;
    DELETE = "DELETE FROM oauth_blocked_clients WHERE client_id = $1", [Text] => ();
}
