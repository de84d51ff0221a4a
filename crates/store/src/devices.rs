//! Browsers that have signed in before, identified by the SHA-256 of their cookie.

use uuid::Uuid;

use crate::table::{statements, table};
use crate::{Error, Tx};

table! { TABLE = devices [hash] { hash: [u8; 32], user_id: Uuid, created_at: i64, seen_at: i64 } }

pub async fn add(tx: &mut Tx, user_id: Uuid, hash: &[u8; 32], at: i64) -> Result<(), Error> {
    tx.execute(&ADD, &[hash.into(), user_id.into(), at.into(), at.into()]).await.map(drop)
}

/// False for another user's device, as for one that does not exist.
pub async fn is_known(tx: &mut Tx, user_id: Uuid, hash: &[u8; 32]) -> Result<bool, Error> {
    Ok(tx.query_one(&IS_KNOWN, &[user_id.into(), hash.into()]).await?.is_some())
}

pub async fn touch(tx: &mut Tx, user_id: Uuid, hash: &[u8; 32], at: i64) -> Result<(), Error> {
    tx.execute(&TOUCH, &[at.into(), user_id.into(), hash.into()]).await.map(drop)
}

/// Deletes all but the `keep` most recently used.
pub async fn trim(tx: &mut Tx, user_id: Uuid, keep: i64) -> Result<u64, Error> {
    tx.execute(&TRIM, &[user_id.into(), keep.into()]).await
}

pub async fn forget_all(tx: &mut Tx, user_id: Uuid) -> Result<u64, Error> {
    tx.execute(&FORGET_ALL, &[user_id.into()]).await
}

statements! {
    ADD = TABLE.insert(), TABLE => ();
    IS_KNOWN = "SELECT seen_at FROM devices WHERE user_id = $1 AND hash = $2", [Uuid, Bytes] => i64;
    TOUCH = "UPDATE devices SET seen_at = $1 WHERE user_id = $2 AND hash = $3", [Integer, Uuid, Bytes] => ();
    TRIM = "DELETE FROM devices WHERE user_id = $1 AND hash NOT IN
        (SELECT hash FROM devices WHERE user_id = $1 ORDER BY seen_at DESC, hash LIMIT $2)", [Uuid, Integer] => ();
    FORGET_ALL = "DELETE FROM devices WHERE user_id = $1", [Uuid] => ();
}
