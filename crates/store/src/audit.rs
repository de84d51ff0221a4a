//! The audit log of accounts. Rows outlive the account, but their details do not.

use uuid::Uuid;

use crate::row::Row;
use crate::statement::{Param, Type, statements};
use crate::{Error, Tx};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    pub position: i64,
    pub at: i64,
    pub event: String,
    /// Empty once the account is deleted.
    pub detail: String,
    /// Hash of the detail and the salt. `None` in rows from before there were digests: their hash covers the detail itself.
    pub digest: Option<[u8; 32]>,
    /// `None` once the account is deleted.
    pub salt: Option<[u8; 32]>,
    pub hash: [u8; 32],
}

pub async fn add(tx: &mut Tx, user_id: Uuid, record: &Record) -> Result<(), Error> {
    let params: [Param<'_>; 8] = [
        user_id.into(),
        record.position.into(),
        record.at.into(),
        record.event.as_str().into(),
        record.detail.as_str().into(),
        record.digest.as_ref().map(<[u8; 32]>::as_slice).into(),
        record.salt.as_ref().map(<[u8; 32]>::as_slice).into(),
        record.hash.as_slice().into(),
    ];
    tx.execute(&ADD, &params).await.map(drop)
}

/// Removes the detail of a row and stores this digest and hash instead.
pub async fn blank(tx: &mut Tx, user_id: Uuid, position: i64, digest: &[u8; 32], hash: &[u8; 32]) -> Result<(), Error> {
    let params = [digest.as_slice().into(), hash.as_slice().into(), user_id.into(), position.into()];
    tx.execute(&BLANK, &params).await.map(drop)
}

/// Newest first.
pub async fn list(tx: &mut Tx, user_id: Uuid, limit: i64) -> Result<Vec<Record>, Error> {
    tx.query(&LIST, &[user_id.into(), limit.into()], record).await
}

/// Oldest first.
pub async fn all(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Record>, Error> {
    tx.query(&ALL, &[user_id.into()], record).await
}

/// All users with audit rows, including deleted ones.
pub async fn users(tx: &mut Tx) -> Result<Vec<Uuid>, Error> {
    tx.query(&USERS, &[], |row| row.uuid(0)).await
}

fn record(row: &Row<'_>) -> Result<Record, Error> {
    Ok(Record {
        position: row.i64(0)?,
        at: row.i64(1)?,
        event: row.text(2)?,
        detail: row.text(3)?,
        digest: row.opt_bytes(4)?,
        salt: row.opt_bytes(5)?,
        hash: row.bytes(6)?,
    })
}

const RECORD: &[Type] = &[Type::Integer, Type::Integer, Type::Text, Type::Text, Type::Bytes, Type::Bytes, Type::Bytes];

/// Whether there is any audit row, even of a deleted account.
pub async fn is_any(tx: &mut Tx) -> Result<bool, Error> {
    Ok(tx.query_one(&ANY, &[], |row| row.i64(0)).await?.is_some())
}

statements! {
    ANY = "SELECT position FROM audit LIMIT 1", [] => [Integer];
    USERS = "SELECT DISTINCT user_id FROM audit ORDER BY user_id", [] => [Uuid];
    ADD = "INSERT INTO audit (user_id, position, at, event, detail, digest, salt, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        [Uuid, Integer, Integer, Text, Text, Bytes, Bytes, Bytes] => [];
    BLANK = "UPDATE audit SET detail = '', salt = NULL, digest = $1, hash = $2 WHERE user_id = $3 AND position = $4",
        [Bytes, Bytes, Uuid, Integer] => [];
    LIST = "SELECT position, at, event, detail, digest, salt, hash FROM audit WHERE user_id = $1 ORDER BY position DESC LIMIT $2",
        [Uuid, Integer] => RECORD;
    ALL = "SELECT position, at, event, detail, digest, salt, hash FROM audit WHERE user_id = $1 ORDER BY position",
        [Uuid] => RECORD;
}
