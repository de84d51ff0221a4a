//! Links to choose a new password, kept as SHA-256 only.

use uuid::Uuid;

use crate::statement::statements;
use crate::{Error, Tx};

pub async fn add(tx: &mut Tx, hash: &[u8; 32], user_id: Uuid, expires_at: i64) -> Result<(), Error> {
    tx.execute(&ADD, &[hash.as_slice().into(), user_id.into(), expires_at.into()]).await.map(drop)
}

/// Whose link it is, while it is good.
pub async fn owner(tx: &mut Tx, hash: &[u8; 32], now: i64) -> Result<Option<Uuid>, Error> {
    tx.query_one(&OWNER, &[hash.as_slice().into(), now.into()], |row| row.uuid(0)).await
}

/// How many of the user's links are good.
pub async fn count(tx: &mut Tx, user_id: Uuid, now: i64) -> Result<i64, Error> {
    Ok(tx.query_one(&COUNT, &[user_id.into(), now.into()], |row| row.i64(0)).await?.unwrap_or(0))
}

/// All of the user's links, good or not.
pub async fn clear(tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    tx.execute(&CLEAR, &[user_id.into()]).await.map(drop)
}

pub async fn clear_expired(tx: &mut Tx, user_id: Uuid, now: i64) -> Result<(), Error> {
    tx.execute(&CLEAR_EXPIRED, &[user_id.into(), now.into()]).await.map(drop)
}

statements! {
    ADD = "INSERT INTO resets (hash, user_id, expires_at) VALUES ($1, $2, $3)", [Bytes, Uuid, Integer] => [];
    OWNER = "SELECT user_id FROM resets WHERE hash = $1 AND expires_at > $2", [Bytes, Integer] => [Uuid];
    COUNT = "SELECT COUNT(*) FROM resets WHERE user_id = $1 AND expires_at > $2", [Uuid, Integer] => [Integer];
    CLEAR = "DELETE FROM resets WHERE user_id = $1", [Uuid] => [];
    CLEAR_EXPIRED = "DELETE FROM resets WHERE user_id = $1 AND expires_at <= $2", [Uuid, Integer] => [];
}
