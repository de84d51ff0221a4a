//! Apps that request access, and resource servers that introspect tokens.

use crate::row::Row;
use crate::statement::statements;
use crate::{Error, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    pub id: String,
    pub kind: Kind,
    pub name: String,
    pub redirect_uris: Vec<String>,
    pub auth_method: AuthMethod,
    /// Whether it may use device codes, which users type in elsewhere.
    pub devices: bool,
    pub created_at: i64,
    /// When a user last allowed it anything.
    pub used_at: Option<i64>,
    /// For a client metadata document: when to fetch it again.
    pub fresh_until: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It registered itself.
    Registered,
    /// Identified by the address of its metadata document.
    Document,
    /// Added by the operator.
    Operator,
    /// Not an app: it may ask whether a token is valid.
    ResourceServer,
}

/// How a client authenticates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthMethod {
    None,
    SecretBasic,
    SecretPost,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Kind::Registered => "registered",
            Kind::Document => "document",
            Kind::Operator => "operator",
            Kind::ResourceServer => "resource_server",
        }
    }

    fn of_word(word: &str) -> Option<Kind> {
        [Kind::Registered, Kind::Document, Kind::Operator, Kind::ResourceServer].into_iter().find(|kind| kind.word() == word)
    }
}

impl AuthMethod {
    pub const ALL: [AuthMethod; 3] = [AuthMethod::None, AuthMethod::SecretBasic, AuthMethod::SecretPost];

    pub fn word(self) -> &'static str {
        match self {
            AuthMethod::None => "none",
            AuthMethod::SecretBasic => "client_secret_basic",
            AuthMethod::SecretPost => "client_secret_post",
        }
    }

    pub fn of_word(word: &str) -> Option<AuthMethod> {
        AuthMethod::ALL.into_iter().find(|method| method.word() == word)
    }
}

/// Adds or replaces a client. The secret is stored as SHA-256.
pub async fn put(tx: &mut Tx, client: &Client, secret_hash: Option<&[u8; 32]>) -> Result<(), Error> {
    let redirect_uris = client.redirect_uris.join("\n");
    let params = [
        client.id.as_str().into(),
        client.kind.word().into(),
        client.name.as_str().into(),
        redirect_uris.as_str().into(),
        client.auth_method.word().into(),
        secret_hash.map(<[u8; 32]>::as_slice).into(),
        client.created_at.into(),
        client.fresh_until.into(),
        client.devices.into(),
    ];
    tx.execute(&PUT, &params).await.map(drop)
}

pub async fn by_id(tx: &mut Tx, id: &str) -> Result<Option<Client>, Error> {
    tx.query_one(&BY_ID, &[id.into()], client).await
}

pub async fn secret_hash(tx: &mut Tx, id: &str) -> Result<Option<Vec<u8>>, Error> {
    tx.query_one(&SECRET_HASH, &[id.into()], |row| row.blob(0)).await
}

/// Clients added by the operator, oldest first.
pub async fn of_operator(tx: &mut Tx) -> Result<Vec<Client>, Error> {
    tx.query(&OF_OPERATOR, &[], client).await
}

/// Self-registered clients that no user has ever allowed anything.
pub async fn count_waiting(tx: &mut Tx) -> Result<i64, Error> {
    Ok(tx.query_one(&COUNT_REGISTERED, &[], |row| row.i64(0)).await?.unwrap_or(0))
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

fn client(row: &Row<'_>) -> Result<Client, Error> {
    Ok(Client {
        id: row.text(0)?,
        kind: row.parse(1, Kind::of_word)?,
        name: row.text(2)?,
        redirect_uris: row.text(3)?.lines().map(str::to_owned).collect(),
        auth_method: row.parse(4, AuthMethod::of_word)?,
        devices: row.bool(5)?,
        created_at: row.i64(6)?,
        used_at: row.opt_i64(7)?,
        fresh_until: row.opt_i64(8)?,
    })
}

statements! {
    PUT = "INSERT INTO oauth_clients (id, kind, name, redirect_uris, auth_method, secret_hash, created_at,
        fresh_until, device_grant) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, redirect_uris = excluded.redirect_uris,
            auth_method = excluded.auth_method, fresh_until = excluded.fresh_until, device_grant = excluded.device_grant",
        [Text, Text, Text, Text, Text, Bytes, Integer, Integer, Boolean] => [];
    BY_ID = "SELECT id, kind, name, redirect_uris, auth_method, device_grant, created_at, used_at, fresh_until
        FROM oauth_clients WHERE id = $1",
        [Text] => [Text, Text, Text, Text, Text, Boolean, Integer, Integer, Integer];
    SECRET_HASH = "SELECT secret_hash FROM oauth_clients WHERE id = $1 AND secret_hash IS NOT NULL", [Text] => [Bytes];
    OF_OPERATOR = "SELECT id, kind, name, redirect_uris, auth_method, device_grant, created_at, used_at, fresh_until
        FROM oauth_clients WHERE kind IN ('operator', 'resource_server') ORDER BY created_at, id",
        [] => [Text, Text, Text, Text, Text, Boolean, Integer, Integer, Integer];
    COUNT_REGISTERED = "SELECT COUNT(*) FROM oauth_clients WHERE kind = 'registered' AND used_at IS NULL", [] => [Integer];
    TOUCH = "UPDATE oauth_clients SET used_at = $1 WHERE id = $2", [Integer, Text] => [];
    DELETE = "DELETE FROM oauth_clients WHERE id = $1", [Text] => [];
    DELETE_UNUSED = "DELETE FROM oauth_clients
        WHERE used_at IS NULL AND (kind = 'registered' AND created_at < $1 OR kind = 'document' AND created_at < $2)",
        [Integer, Integer] => [];
    DELETE_OLDEST_WAITING = "DELETE FROM oauth_clients WHERE id IN (SELECT id FROM oauth_clients
        WHERE kind = 'registered' AND used_at IS NULL ORDER BY created_at, id LIMIT $1)",
        [Integer] => [];
}
