//! Browsers that have signed in before, identified by the SHA-256 of their cookie.

use uuid::Uuid;

use crate::statement::statements;
use crate::{Error, Tx};

pub async fn add(tx: &mut Tx, user_id: Uuid, hash: &[u8; 32], at: i64) -> Result<(), Error> {
    tx.execute(&ADD, &[hash.as_slice().into(), user_id.into(), at.into()]).await.map(drop)
}

/// False for another user's device, as for one that does not exist.
pub async fn is_known(tx: &mut Tx, user_id: Uuid, hash: &[u8; 32]) -> Result<bool, Error> {
    Ok(tx.query_one(&IS_KNOWN, &[user_id.into(), hash.as_slice().into()], |row| row.i64(0)).await?.is_some())
}

pub async fn touch(tx: &mut Tx, user_id: Uuid, hash: &[u8; 32], at: i64) -> Result<(), Error> {
    tx.execute(&TOUCH, &[at.into(), user_id.into(), hash.as_slice().into()]).await.map(drop)
}

/// Deletes all but the `keep` most recently used.
pub async fn trim(tx: &mut Tx, user_id: Uuid, keep: i64) -> Result<u64, Error> {
    tx.execute(&TRIM, &[user_id.into(), keep.into()]).await
}

pub async fn forget_all(tx: &mut Tx, user_id: Uuid) -> Result<u64, Error> {
    tx.execute(&FORGET_ALL, &[user_id.into()]).await
}

statements! {
    ADD = "INSERT INTO devices (hash, user_id, created_at, seen_at) VALUES ($1, $2, $3, $3)", [Bytes, Uuid, Integer] => [];
    IS_KNOWN = "SELECT seen_at FROM devices WHERE user_id = $1 AND hash = $2", [Uuid, Bytes] => [Integer];
    TOUCH = "UPDATE devices SET seen_at = $1 WHERE user_id = $2 AND hash = $3", [Integer, Uuid, Bytes] => [];
    TRIM = "DELETE FROM devices WHERE user_id = $1 AND hash NOT IN
        (SELECT hash FROM devices WHERE user_id = $1 ORDER BY seen_at DESC, hash LIMIT $2)",
        [Uuid, Integer] => [];
    FORGET_ALL = "DELETE FROM devices WHERE user_id = $1", [Uuid] => [];
}
