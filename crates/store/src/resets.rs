//! Password reset links, stored as SHA-256 only.

use uuid::Uuid;

use crate::statement::statements;
use crate::{Error, Tx};

/// The owner of the link, and whether it was mailed to the account's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    pub user_id: Uuid,
    pub mailed: bool,
}

pub async fn add(tx: &mut Tx, hash: &[u8; 32], owner: Owner, expires_at: i64) -> Result<(), Error> {
    let params = [hash.as_slice().into(), owner.user_id.into(), expires_at.into(), owner.mailed.into()];
    tx.execute(&ADD, &params).await.map(drop)
}

/// `None` unless the link is valid.
pub async fn owner(tx: &mut Tx, hash: &[u8; 32], now: i64) -> Result<Option<Owner>, Error> {
    let params = [hash.as_slice().into(), now.into()];
    tx.query_one(&OWNER, &params, |row| Ok(Owner { user_id: row.uuid(0)?, mailed: row.bool(1)? })).await
}

/// How many of the user's links are valid.
pub async fn count(tx: &mut Tx, user_id: Uuid, now: i64) -> Result<i64, Error> {
    Ok(tx.query_one(&COUNT, &[user_id.into(), now.into()], |row| row.i64(0)).await?.unwrap_or(0))
}

/// Deletes all of the user's links, valid or not.
pub async fn clear(tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    tx.execute(&CLEAR, &[user_id.into()]).await.map(drop)
}

pub async fn clear_expired(tx: &mut Tx, user_id: Uuid, now: i64) -> Result<(), Error> {
    tx.execute(&CLEAR_EXPIRED, &[user_id.into(), now.into()]).await.map(drop)
}

statements! {
    ADD = "INSERT INTO resets (hash, user_id, expires_at, mailed) VALUES ($1, $2, $3, $4)",
        [Bytes, Uuid, Integer, Boolean] => [];
    OWNER = "SELECT user_id, mailed FROM resets WHERE hash = $1 AND expires_at > $2", [Bytes, Integer] => [Uuid, Boolean];
    COUNT = "SELECT COUNT(*) FROM resets WHERE user_id = $1 AND expires_at > $2", [Uuid, Integer] => [Integer];
    CLEAR = "DELETE FROM resets WHERE user_id = $1", [Uuid] => [];
    CLEAR_EXPIRED = "DELETE FROM resets WHERE user_id = $1 AND expires_at <= $2", [Uuid, Integer] => [];
}
