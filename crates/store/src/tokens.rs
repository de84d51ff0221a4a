//! Access tokens, stored as SHA-256 only.

use uuid::Uuid;

use crate::oauth::Audience;
use crate::row::Columns;
use crate::table::{record, statements, table};
use crate::{Error, Tx};

table! {
    TABLE = tokens [hash] {
        hash: [u8; 32], user_id: Uuid, kind: String, grant_id: Option<Uuid>, audience: Option<Audience>,
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
}

record! {
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
}

pub async fn add(tx: &mut Tx, token: &NewToken) -> Result<(), Error> {
    tx.execute(&ADD, &token.params_after([])).await.map(drop)
}

pub async fn add_access(tx: &mut Tx, token: &NewAccessToken) -> Result<(), Error> {
    tx.execute(&ADD_ACCESS, &token.params_after([])).await.map(drop)
}

/// An app's token that is not revoked.
pub async fn access(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<AccessToken>, Error> {
    tx.query_one(&ACCESS, &[hash.into()]).await
}

/// False if there is none.
pub async fn delete_access(tx: &mut Tx, user_id: Uuid, hash: &[u8; 32]) -> Result<bool, Error> {
    Ok(tx.execute(&DELETE_ACCESS, &[user_id.into(), hash.into()]).await? > 0)
}

/// Deletes expired access tokens of the grant.
pub async fn delete_past_access(tx: &mut Tx, user_id: Uuid, grant_id: Uuid, now: i64) -> Result<u64, Error> {
    tx.execute(&DELETE_PAST_ACCESS, &[user_id.into(), grant_id.into(), now.into()]).await
}

/// How many of the user's personal tokens are neither revoked nor expired.
pub async fn count_live(tx: &mut Tx, user_id: Uuid, now: i64) -> Result<i64, Error> {
    tx.count(&COUNT_LIVE, &[user_id.into(), now.into()]).await
}

/// All of the user's personal tokens including revoked ones, oldest first.
pub async fn list(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Token>, Error> {
    tx.query(&LIST, &[user_id.into()]).await
}

/// Finds a token, valid or not.
pub async fn known(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<Known>, Error> {
    tx.query_one(&KNOWN, &[hash.into()]).await
}

/// Revokes a token and returns its owner; `None` if there is no such token left to revoke.
pub async fn revoke(tx: &mut Tx, token_id: Uuid, at: i64) -> Result<Option<Uuid>, Error> {
    tx.query_one(&REVOKE, &[at.into(), token_id.into()]).await
}

/// Records when tokens were last used, many at once: (token id, instant). An earlier instant never replaces a later one.
pub async fn touch_last_used(tx: &mut Tx, uses: &[(Uuid, i64)]) -> Result<u64, Error> {
    tx.execute_all(&TOUCH, uses.iter().map(|(token_id, at)| [(*at).into(), (*token_id).into()])).await
}

statements! {
    KNOWN = "SELECT * FROM tokens WHERE hash = $1", [Bytes] => Known;
    ADD = "INSERT INTO tokens (hash, id, user_id, name, created_at, expires_at, kind)
        VALUES ($1, $2, $3, $4, $5, $6, 'personal')", (NewToken) => ();
    ADD_ACCESS = "INSERT INTO tokens (hash, id, user_id, grant_id, audience, created_at, expires_at, kind, name)
        VALUES ($1, $2, $3, $4, $5, $6, $7, 'access', '')", (NewAccessToken) => ();
    ACCESS = "SELECT t.user_id, t.grant_id, t.audience, t.created_at, t.expires_at, u.disabled
        FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = $1 AND t.kind = 'access' AND t.revoked_at IS NULL",
        [Bytes] => AccessToken;
    DELETE_ACCESS = "DELETE FROM tokens WHERE user_id = $1 AND hash = $2 AND kind = 'access'", [Uuid, Bytes] => ();
    DELETE_PAST_ACCESS = "DELETE FROM tokens WHERE user_id = $1 AND grant_id = $2 AND expires_at < $3",
        [Uuid, Uuid, Integer] => ();
    COUNT_LIVE = "SELECT COUNT(*) FROM tokens
        WHERE user_id = $1 AND kind = 'personal' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)",
        [Uuid, Integer] => i64;
    LIST = "SELECT * FROM tokens WHERE user_id = $1 AND kind = 'personal' ORDER BY created_at, id", [Uuid] => Token;
    REVOKE = "UPDATE tokens SET revoked_at = $1 WHERE id = $2 AND kind = 'personal' AND revoked_at IS NULL RETURNING user_id",
        [Integer, Uuid] => Uuid;
    TOUCH = "UPDATE tokens SET last_used_at = $1 WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)",
        [Integer, Uuid] => ();
}
