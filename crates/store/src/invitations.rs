//! Invitation links to create an account, stored as SHA-256 only.

use uuid::Uuid;

use crate::statement::statements;
use crate::{Error, Tx};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Invitation {
    pub id: Uuid,
    pub created_at: i64,
    pub expires_at: i64,
    pub used_at: Option<i64>,
}

pub async fn add(tx: &mut Tx, hash: &[u8; 32], invitation: &Invitation) -> Result<(), Error> {
    let params = [hash.as_slice().into(), invitation.id.into(), invitation.created_at.into(), invitation.expires_at.into()];
    tx.execute(&ADD, &params).await.map(drop)
}

/// Includes used and expired ones, oldest first.
pub async fn list(tx: &mut Tx) -> Result<Vec<Invitation>, Error> {
    tx.query(&LIST, &[], |row| {
        Ok(Invitation { id: row.uuid(0)?, created_at: row.i64(1)?, expires_at: row.i64(2)?, used_at: row.opt_i64(3)? })
    })
    .await
}

pub async fn is_good(tx: &mut Tx, hash: &[u8; 32], now: i64) -> Result<bool, Error> {
    Ok(tx.query_one(&IS_GOOD, &[hash.as_slice().into(), now.into()], |row| row.uuid(0)).await?.is_some())
}

/// Uses it up; false if it was used, has expired, or does not exist.
pub async fn take(tx: &mut Tx, hash: &[u8; 32], now: i64) -> Result<bool, Error> {
    Ok(tx.execute(&TAKE, &[now.into(), hash.as_slice().into()]).await? > 0)
}

/// False if there is no such invitation.
pub async fn delete(tx: &mut Tx, id: Uuid) -> Result<bool, Error> {
    Ok(tx.execute(&DELETE, &[id.into()]).await? > 0)
}

statements! {
    ADD = "INSERT INTO invitations (hash, id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
        [Bytes, Uuid, Integer, Integer] => [];
    LIST = "SELECT id, created_at, expires_at, used_at FROM invitations ORDER BY created_at, id",
        [] => [Uuid, Integer, Integer, Integer];
    IS_GOOD = "SELECT id FROM invitations WHERE hash = $1 AND used_at IS NULL AND expires_at > $2", [Bytes, Integer] => [Uuid];
    TAKE = "UPDATE invitations SET used_at = $1 WHERE hash = $2 AND used_at IS NULL AND expires_at > $1",
        [Integer, Bytes] => [];
    DELETE = "DELETE FROM invitations WHERE id = $1", [Uuid] => [];
}
