//! What happened to an account. Rows are added, never changed, and outlive the account.

use uuid::Uuid;

use crate::row::Row;
use crate::statement::{Type, statements};
use crate::{Error, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub position: i64,
    pub at: i64,
    pub event: String,
    pub detail: String,
    pub hash: [u8; 32],
}

pub async fn add(tx: &mut Tx, user_id: Uuid, record: &Record) -> Result<(), Error> {
    let params = [
        user_id.into(),
        record.position.into(),
        record.at.into(),
        record.event.as_str().into(),
        record.detail.as_str().into(),
        record.hash.as_slice().into(),
    ];
    tx.execute(&ADD, &params).await.map(drop)
}

/// Newest first.
pub async fn list(tx: &mut Tx, user_id: Uuid, limit: i64) -> Result<Vec<Record>, Error> {
    tx.query(&LIST, &[user_id.into(), limit.into()], record).await
}

/// Oldest first.
pub async fn all(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Record>, Error> {
    tx.query(&ALL, &[user_id.into()], record).await
}

fn record(row: &Row<'_>) -> Result<Record, Error> {
    Ok(Record { position: row.i64(0)?, at: row.i64(1)?, event: row.text(2)?, detail: row.text(3)?, hash: row.bytes(4)? })
}

const RECORD: &[Type] = &[Type::Integer, Type::Integer, Type::Text, Type::Text, Type::Bytes];

/// Whether anything ever happened to an account here, even one that is gone.
pub async fn is_any(tx: &mut Tx) -> Result<bool, Error> {
    Ok(tx.query_one(&ANY, &[], |row| row.i64(0)).await?.is_some())
}

statements! {
    ANY = "SELECT position FROM audit LIMIT 1", [] => [Integer];
    ADD = "INSERT INTO audit (user_id, position, at, event, detail, hash) VALUES ($1, $2, $3, $4, $5, $6)",
        [Uuid, Integer, Integer, Text, Text, Bytes] => [];
    LIST = "SELECT position, at, event, detail, hash FROM audit WHERE user_id = $1 ORDER BY position DESC LIMIT $2",
        [Uuid, Integer] => RECORD;
    ALL = "SELECT position, at, event, detail, hash FROM audit WHERE user_id = $1 ORDER BY position", [Uuid] => RECORD;
}
