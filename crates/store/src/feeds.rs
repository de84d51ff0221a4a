//! Calendar feeds, stored as the SHA-256 of their secret only.

use uuid::Uuid;

use crate::statement::statements;
use crate::{Error, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feed {
    pub id: Uuid,
    pub name: String,
    pub created_at: i64,
    pub last_used_at: Option<i64>,
}

/// The owner of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    pub feed_id: Uuid,
    pub user_id: Uuid,
    pub disabled: bool,
    pub last_used_at: Option<i64>,
}

pub async fn add(tx: &mut Tx, user_id: Uuid, hash: &[u8; 32], feed: &Feed) -> Result<(), Error> {
    let params = [hash.as_slice().into(), feed.id.into(), user_id.into(), feed.name.as_str().into(), feed.created_at.into()];
    tx.execute(&ADD, &params).await.map(drop)
}

/// Oldest first.
pub async fn list(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Feed>, Error> {
    tx.query(&LIST, &[user_id.into()], |row| {
        Ok(Feed { id: row.uuid(0)?, name: row.text(1)?, created_at: row.i64(2)?, last_used_at: row.opt_i64(3)? })
    })
    .await
}

pub async fn owner(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<Owner>, Error> {
    tx.query_one(&OWNER, &[hash.as_slice().into()], |row| {
        Ok(Owner { feed_id: row.uuid(0)?, user_id: row.uuid(1)?, disabled: row.bool(2)?, last_used_at: row.opt_i64(3)? })
    })
    .await
}

pub async fn touch(tx: &mut Tx, user_id: Uuid, id: Uuid, at: i64) -> Result<(), Error> {
    tx.execute(&TOUCH, &[at.into(), user_id.into(), id.into()]).await.map(drop)
}

/// False if the user has no such feed.
pub async fn delete(tx: &mut Tx, user_id: Uuid, id: Uuid) -> Result<bool, Error> {
    Ok(tx.execute(&DELETE, &[user_id.into(), id.into()]).await? > 0)
}

statements! {
    ADD = "INSERT INTO feeds (hash, id, user_id, name, created_at) VALUES ($1, $2, $3, $4, $5)",
        [Bytes, Uuid, Uuid, Text, Integer] => [];
    LIST = "SELECT id, name, created_at, last_used_at FROM feeds WHERE user_id = $1 ORDER BY created_at, id",
        [Uuid] => [Uuid, Text, Integer, Integer];
    OWNER = "SELECT f.id, f.user_id, u.disabled, f.last_used_at FROM feeds f JOIN users u ON u.id = f.user_id WHERE f.hash = $1",
        [Bytes] => [Uuid, Uuid, Boolean, Integer];
    TOUCH = "UPDATE feeds SET last_used_at = $1 WHERE user_id = $2 AND id = $3", [Integer, Uuid, Uuid] => [];
    DELETE = "DELETE FROM feeds WHERE user_id = $1 AND id = $2", [Uuid, Uuid] => [];
}
