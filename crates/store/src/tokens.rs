//! Access tokens, stored as SHA-256 only.

use uuid::Uuid;

use crate::oauth::Audience;
use crate::row::Row;
use crate::statement::{Type, statements};
use crate::{Error, Tx};

/// What one look-up returns about the owner of a token that is not revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Session {
    pub token_id: Uuid,
    pub user_id: Uuid,
    pub user_version: i64,
    pub disabled: bool,
    pub expires_at: Option<i64>,
    /// The front end that an app's token is valid for; a personal token is valid for all.
    pub audience: Option<Audience>,
    pub market_version: i64,
    pub tracking_version: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub id: Uuid,
    pub name: String,
    pub created_at: i64,
    pub last_used_at: Option<i64>,
    pub expires_at: Option<i64>,
    pub revoked_at: Option<i64>,
}

/// A personal token to store.
#[derive(Clone)]
pub struct NewToken {
    /// SHA-256 of the whole token.
    pub hash: [u8; 32],
    pub id: Uuid,
    pub user_id: Uuid,
    pub name: String,
    pub created_at: i64,
    pub expires_at: Option<i64>,
}

/// An app's token to store.
#[derive(Clone)]
pub struct NewAccessToken {
    /// SHA-256 of the whole token.
    pub hash: [u8; 32],
    pub id: Uuid,
    pub user_id: Uuid,
    pub grant_id: Uuid,
    pub audience: Audience,
    pub created_at: i64,
    pub expires_at: i64,
}

/// What token introspection reveals about an app's token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessToken {
    pub user_id: Uuid,
    pub grant_id: Uuid,
    pub audience: Audience,
    pub created_at: i64,
    pub expires_at: i64,
    pub disabled: bool,
}

/// A token that may have expired or been revoked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    pub id: Uuid,
    pub revoked_at: Option<i64>,
    pub expires_at: Option<i64>,
    /// `None`: valid for every front end.
    pub audience: Option<Audience>,
}

pub async fn add(tx: &mut Tx, token: &NewToken) -> Result<(), Error> {
    let params = [
        token.hash.as_slice().into(),
        token.id.into(),
        token.user_id.into(),
        token.name.as_str().into(),
        token.created_at.into(),
        token.expires_at.into(),
    ];
    tx.execute(&ADD, &params).await.map(drop)
}

pub async fn add_access(tx: &mut Tx, token: &NewAccessToken) -> Result<(), Error> {
    let params = [
        token.hash.as_slice().into(),
        token.id.into(),
        token.user_id.into(),
        token.created_at.into(),
        token.expires_at.into(),
        token.grant_id.into(),
        token.audience.word().into(),
    ];
    tx.execute(&ADD_ACCESS, &params).await.map(drop)
}

/// An app's token that is not revoked.
pub async fn access(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<AccessToken>, Error> {
    tx.query_one(&ACCESS, &[hash.as_slice().into()], |row| {
        Ok(AccessToken {
            user_id: row.uuid(0)?,
            grant_id: row.uuid(1)?,
            audience: row.parse(2, Audience::of_word)?,
            created_at: row.i64(3)?,
            expires_at: row.i64(4)?,
            disabled: row.bool(5)?,
        })
    })
    .await
}

/// False if there is none.
pub async fn delete_access(tx: &mut Tx, user_id: Uuid, hash: &[u8; 32]) -> Result<bool, Error> {
    Ok(tx.execute(&DELETE_ACCESS, &[user_id.into(), hash.as_slice().into()]).await? > 0)
}

/// Deletes expired access tokens of the grant.
pub async fn delete_past_access(tx: &mut Tx, user_id: Uuid, grant_id: Uuid, now: i64) -> Result<u64, Error> {
    tx.execute(&DELETE_PAST_ACCESS, &[user_id.into(), grant_id.into(), now.into()]).await
}

/// How many of the user's personal tokens are neither revoked nor expired.
pub async fn count_live(tx: &mut Tx, user_id: Uuid, now: i64) -> Result<i64, Error> {
    Ok(tx.query_one(&COUNT_LIVE, &[user_id.into(), now.into()], |row| row.i64(0)).await?.unwrap_or(0))
}

/// All of the user's personal tokens including revoked ones, oldest first.
pub async fn list(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Token>, Error> {
    tx.query(&LIST, &[user_id.into()], |row| {
        Ok(Token {
            id: row.uuid(0)?,
            name: row.text(1)?,
            created_at: row.i64(2)?,
            last_used_at: row.opt_i64(3)?,
            expires_at: row.opt_i64(4)?,
            revoked_at: row.opt_i64(5)?,
        })
    })
    .await
}

/// Finds a token, valid or not.
pub async fn known(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<Known>, Error> {
    tx.query_one(&KNOWN, &[hash.as_slice().into()], |row| {
        Ok(Known {
            id: row.uuid(0)?,
            revoked_at: row.opt_i64(1)?,
            expires_at: row.opt_i64(2)?,
            audience: row.opt_parse(3, Audience::of_word)?,
        })
    })
    .await
}

/// Revokes a token and returns its owner; `None` if there is no such token left to revoke.
pub async fn revoke(tx: &mut Tx, token_id: Uuid, at: i64) -> Result<Option<Uuid>, Error> {
    tx.query_one(&REVOKE, &[at.into(), token_id.into()], |row| row.uuid(0)).await
}

/// Records when tokens were last used, many at once: (token id, instant). An earlier instant never replaces a later one.
pub async fn touch_last_used(tx: &mut Tx, uses: &[(Uuid, i64)]) -> Result<u64, Error> {
    tx.execute_all(&TOUCH, uses.iter().map(|(token_id, at)| [(*at).into(), (*token_id).into()])).await
}

pub(crate) fn session(row: &Row<'_>) -> Result<Session, Error> {
    Ok(Session {
        token_id: row.uuid(0)?,
        user_id: row.uuid(1)?,
        user_version: row.i64(2)?,
        disabled: row.bool(3)?,
        expires_at: row.opt_i64(4)?,
        audience: row.opt_parse(5, Audience::of_word)?,
        market_version: row.i64(6)?,
        tracking_version: row.i64(7)?,
    })
}

/// How many sessions one statement looks up.
pub(crate) const SESSIONS_AT_ONCE: usize = 16;
static SIXTEEN_HASHES: &[Type] = &[Type::Bytes; SESSIONS_AT_ONCE];

statements! {
    SESSION = "SELECT t.id, t.user_id, u.version, u.disabled, t.expires_at, t.audience,
        (SELECT value FROM versions WHERE name = 'market'), (SELECT value FROM versions WHERE name = 'tracking')
        FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = $1 AND t.revoked_at IS NULL",
        [Bytes] => [Uuid, Uuid, Integer, Boolean, Integer, Text, Integer, Integer];
    SESSIONS = "SELECT t.id, t.user_id, u.version, u.disabled, t.expires_at, t.audience,
        (SELECT value FROM versions WHERE name = 'market'), (SELECT value FROM versions WHERE name = 'tracking'), t.hash
        FROM tokens t JOIN users u ON u.id = t.user_id
        WHERE t.hash IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) AND t.revoked_at IS NULL",
        SIXTEEN_HASHES => [Uuid, Uuid, Integer, Boolean, Integer, Text, Integer, Integer, Bytes];
    KNOWN = "SELECT id, revoked_at, expires_at, audience FROM tokens WHERE hash = $1",
        [Bytes] => [Uuid, Integer, Integer, Text];
    ADD = "INSERT INTO tokens (hash, id, user_id, kind, name, created_at, expires_at)
        VALUES ($1, $2, $3, 'personal', $4, $5, $6)",
        [Bytes, Uuid, Uuid, Text, Integer, Integer] => [];
    ADD_ACCESS = "INSERT INTO tokens (hash, id, user_id, kind, name, created_at, expires_at, grant_id, audience)
        VALUES ($1, $2, $3, 'access', '', $4, $5, $6, $7)",
        [Bytes, Uuid, Uuid, Integer, Integer, Uuid, Text] => [];
    ACCESS = "SELECT t.user_id, t.grant_id, t.audience, t.created_at, t.expires_at, u.disabled
        FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = $1 AND t.kind = 'access' AND t.revoked_at IS NULL",
        [Bytes] => [Uuid, Uuid, Text, Integer, Integer, Boolean];
    DELETE_ACCESS = "DELETE FROM tokens WHERE user_id = $1 AND hash = $2 AND kind = 'access'", [Uuid, Bytes] => [];
    DELETE_PAST_ACCESS = "DELETE FROM tokens WHERE user_id = $1 AND grant_id = $2 AND expires_at < $3",
        [Uuid, Uuid, Integer] => [];
    COUNT_LIVE = "SELECT COUNT(*) FROM tokens
        WHERE user_id = $1 AND kind = 'personal' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
        [Uuid, Integer] => [Integer];
    LIST = "SELECT id, name, created_at, last_used_at, expires_at, revoked_at FROM tokens
        WHERE user_id = $1 AND kind = 'personal' ORDER BY created_at, id",
        [Uuid] => [Uuid, Text, Integer, Integer, Integer, Integer];
    REVOKE = "UPDATE tokens SET revoked_at = $1 WHERE id = $2 AND kind = 'personal' AND revoked_at IS NULL RETURNING user_id",
        [Integer, Uuid] => [Uuid];
    TOUCH = "UPDATE tokens SET last_used_at = $1 WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)",
        [Integer, Uuid] => [];
}
