//! Refresh tokens, stored as SHA-256 only. A used token is kept, so that a second use is noticed.

use uuid::Uuid;

use crate::row::Columns;
use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = oauth_refresh_tokens [hash] { hash: [u8; 32] }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct RefreshToken {
        pub user_id: Uuid,
        pub grant_id: Uuid,
        pub created_at: i64,
        pub expires_at: i64,
        /// When it was first used.
        pub rotated_at: Option<i64>,
        /// Derives its successor, as long as using it again is allowed.
        pub salt: Option<[u8; 32]>,
    }
}

pub async fn add(tx: &mut Tx, hash: &[u8; 32], token: &RefreshToken) -> Result<(), Error> {
    tx.execute(&ADD, &token.params_after([hash.into()])).await.map(drop)
}

pub async fn by_hash(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<RefreshToken>, Error> {
    tx.query_one(&BY_HASH, &[hash.into()]).await
}

/// Marks it as replaced by another.
pub async fn rotate(tx: &mut Tx, hash: &[u8; 32], at: i64, salt: &[u8; 32]) -> Result<(), Error> {
    tx.execute(&ROTATE, &[at.into(), salt.into(), hash.into()]).await.map(drop)
}

/// Deletes the salts of the grant's tokens that were replaced before then: their successors can no longer be derived.
pub async fn forget_salts(tx: &mut Tx, user_id: Uuid, grant_id: Uuid, rotated_before: i64) -> Result<u64, Error> {
    tx.execute(&FORGET_SALTS, &[user_id.into(), grant_id.into(), rotated_before.into()]).await
}

/// Deletes the grant's expired tokens, used or not.
pub async fn delete_past(tx: &mut Tx, user_id: Uuid, grant_id: Uuid, now: i64) -> Result<u64, Error> {
    tx.execute(&DELETE_PAST, &[user_id.into(), grant_id.into(), now.into()]).await
}

/// How many were issued under the grant since then, used or not.
pub async fn count_since(tx: &mut Tx, user_id: Uuid, grant_id: Uuid, since: i64) -> Result<i64, Error> {
    tx.count(&COUNT, &[user_id.into(), grant_id.into(), since.into()]).await
}

statements! {
    ADD = TABLE.insert(), TABLE => ();
    BY_HASH = "SELECT * FROM oauth_refresh_tokens WHERE hash = $1", [Bytes] => RefreshToken;
    ROTATE = "UPDATE oauth_refresh_tokens SET rotated_at = $1, salt = $2 WHERE hash = $3", [Integer, Bytes, Bytes] => ();
    FORGET_SALTS = "UPDATE oauth_refresh_tokens SET salt = NULL
        WHERE user_id = $1 AND grant_id = $2 AND rotated_at < $3 AND salt IS NOT NULL", [Uuid, Uuid, Integer] => ();
    COUNT = "SELECT COUNT(*) FROM oauth_refresh_tokens WHERE user_id = $1 AND grant_id = $2 AND created_at > $3",
        [Uuid, Uuid, Integer] => i64;
    DELETE_PAST = "DELETE FROM oauth_refresh_tokens WHERE user_id = $1 AND grant_id = $2 AND expires_at < $3",
        [Uuid, Uuid, Integer] => ();
}
