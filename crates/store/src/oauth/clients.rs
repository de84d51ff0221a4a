//! Apps that request access, and resource servers that introspect tokens.

use crate::row::Columns;
use crate::table::{statements, table, words};
use crate::{Error, Tx};

table! {
    TABLE = oauth_clients [id] { secret_hash: Option<[u8; 32]> }

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Client {
        pub id: String,
        pub kind: Kind,
        pub name: String,
        pub redirect_uris: Vec<String>,
        pub auth_method: AuthMethod,
        /// Whether it may use device codes, which users type in elsewhere.
        pub devices: bool as device_grant,
        pub created_at: i64,
        /// When a user last allowed it anything.
        pub used_at: Option<i64>,
        /// For a client metadata document: when to fetch it again.
        pub fresh_until: Option<i64>,
    }
}

words! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Kind {
        /// It registered itself.
        Registered = "registered",
        /// Identified by the address of its metadata document.
        Document = "document",
        /// Added by the operator.
        Operator = "operator",
        /// Not an app: it may ask whether a token is valid.
        ResourceServer = "resource_server",
    }

    /// How a client authenticates.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum AuthMethod {
        None = "none",
        SecretBasic = "client_secret_basic",
        SecretPost = "client_secret_post",
    }
}

/// Adds or replaces a client. The secret is stored as SHA-256.
pub async fn put(tx: &mut Tx, client: &Client, secret_hash: Option<&[u8; 32]>) -> Result<(), Error> {
    tx.execute(&PUT, &client.params_after([secret_hash.into()])).await.map(drop)
}

pub async fn by_id(tx: &mut Tx, id: &str) -> Result<Option<Client>, Error> {
    tx.query_one(&BY_ID, &[id.into()]).await
}

pub async fn secret_hash(tx: &mut Tx, id: &str) -> Result<Option<Vec<u8>>, Error> {
    tx.query_one(&SECRET_HASH, &[id.into()]).await
}

/// Clients added by the operator, oldest first.
pub async fn of_operator(tx: &mut Tx) -> Result<Vec<Client>, Error> {
    tx.query(&OF_OPERATOR, &[]).await
}

/// Self-registered clients that no user has ever allowed anything.
pub async fn count_waiting(tx: &mut Tx) -> Result<i64, Error> {
    tx.count(&COUNT_REGISTERED, &[]).await
}

pub async fn touch(tx: &mut Tx, id: &str, at: i64) -> Result<(), Error> {
    tx.execute(&TOUCH, &[at.into(), id.into()]).await.map(drop)
}

/// False if there is none.
pub async fn delete(tx: &mut Tx, id: &str) -> Result<bool, Error> {
    Ok(tx.execute(&DELETE, &[id.into()]).await? > 0)
}

/// Deletes self-registered clients and documents older than these times, if no user ever allowed them anything.
pub async fn delete_unused(tx: &mut Tx, registered: i64, documents: i64) -> Result<u64, Error> {
    tx.execute(&DELETE_UNUSED, &[registered.into(), documents.into()]).await
}

/// Deletes this many self-registered clients that no user ever allowed anything, oldest first.
pub async fn delete_oldest_waiting(tx: &mut Tx, many: i64) -> Result<u64, Error> {
    tx.execute(&DELETE_OLDEST_WAITING, &[many.into()]).await
}

statements! {
    PUT = TABLE.insert() + " ON CONFLICT (id) DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris,
        auth_method = excluded.auth_method, fresh_until = excluded.fresh_until, device_grant = excluded.device_grant",
        TABLE => ();
    BY_ID = "SELECT * FROM oauth_clients WHERE id = $1", [Text] => Client;
    SECRET_HASH = "SELECT secret_hash FROM oauth_clients WHERE id = $1 AND secret_hash IS NOT NULL", [Text] => Vec<u8>;
    OF_OPERATOR = "SELECT * FROM oauth_clients WHERE kind IN ('operator', 'resource_server') ORDER BY created_at, id",
        [] => Client;
    COUNT_REGISTERED = "SELECT COUNT(*) FROM oauth_clients WHERE kind = 'registered' AND used_at IS NULL", [] => i64;
    TOUCH = "UPDATE oauth_clients SET used_at = $1 WHERE id = $2", [Integer, Text] => ();
    DELETE = "DELETE FROM oauth_clients WHERE id = $1", [Text] => ();
    DELETE_UNUSED = "DELETE FROM oauth_clients
        WHERE used_at IS NULL AND (kind = 'registered' AND created_at < $1 OR kind = 'document' AND created_at < $2)",
        [Integer, Integer] => ();
    DELETE_OLDEST_WAITING = "DELETE FROM oauth_clients WHERE id IN (SELECT id FROM oauth_clients
        WHERE kind = 'registered' AND used_at IS NULL ORDER BY created_at, id LIMIT $1)", [Integer] => ();
}
