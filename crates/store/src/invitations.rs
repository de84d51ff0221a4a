//! Invitation links to create an account, stored as SHA-256 only.

use uuid::Uuid;

use crate::row::Columns;
use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = invitations [hash] { hash: [u8; 32] }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Invitation {
        pub id: Uuid,
        pub created_at: i64,
        pub expires_at: i64,
        pub used_at: Option<i64>,
    }
}

pub async fn add(tx: &mut Tx, hash: &[u8; 32], invitation: &Invitation) -> Result<(), Error> {
    tx.execute(&ADD, &invitation.params_after([hash.into()])).await.map(drop)
}

/// Includes used and expired ones, oldest first.
pub async fn list(tx: &mut Tx) -> Result<Vec<Invitation>, Error> {
    tx.query(&LIST, &[]).await
}

pub async fn is_good(tx: &mut Tx, hash: &[u8; 32], now: i64) -> Result<bool, Error> {
    Ok(tx.query_one(&IS_GOOD, &[hash.into(), now.into()]).await?.is_some())
}

/// Uses it up; false if it was used, has expired, or does not exist.
pub async fn take(tx: &mut Tx, hash: &[u8; 32], now: i64) -> Result<bool, Error> {
    Ok(tx.execute(&TAKE, &[now.into(), hash.into()]).await? > 0)
}

/// False if there is no such invitation.
pub async fn delete(tx: &mut Tx, id: Uuid) -> Result<bool, Error> {
    Ok(tx.execute(&DELETE, &[id.into()]).await? > 0)
}

statements! {
    ADD = TABLE.insert(), TABLE => ();
    LIST = "SELECT * FROM invitations ORDER BY created_at, id", [] => Invitation;
    IS_GOOD = "SELECT id FROM invitations WHERE hash = $1 AND used_at IS NULL AND expires_at > $2", [Bytes, Integer] => Uuid;
    TAKE = "UPDATE invitations SET used_at = $1 WHERE hash = $2 AND used_at IS NULL AND expires_at > $1", [Integer, Bytes] => ();
    DELETE = "DELETE FROM invitations WHERE id = $1", [Uuid] => ();
}
