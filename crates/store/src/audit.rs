//! The audit log of accounts. Rows outlive the account, but their details do not.

use uuid::Uuid;

use crate::row::Columns;
use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = audit [user_id, position] { user_id: Uuid }

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
}

pub async fn add(tx: &mut Tx, user_id: Uuid, record: &Record) -> Result<(), Error> {
    tx.execute(&ADD, &record.params_after([user_id.into()])).await.map(drop)
}

/// Removes the detail of a row and stores this digest and hash instead.
pub async fn blank(tx: &mut Tx, user_id: Uuid, position: i64, digest: &[u8; 32], hash: &[u8; 32]) -> Result<(), Error> {
    let params = [digest.as_slice().into(), hash.into(), user_id.into(), position.into()];
    tx.execute(&BLANK, &params).await.map(drop)
}

/// Newest first.
pub async fn list(tx: &mut Tx, user_id: Uuid, limit: i64) -> Result<Vec<Record>, Error> {
    tx.query(&LIST, &[user_id.into(), limit.into()]).await
}

/// Oldest first.
pub async fn all(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Record>, Error> {
    tx.query(&ALL, &[user_id.into()]).await
}

/// All users with audit rows, including deleted ones.
pub async fn users(tx: &mut Tx) -> Result<Vec<Uuid>, Error> {
    tx.query(&USERS, &[]).await
}

/// Whether there is any audit row, even of a deleted account.
pub async fn is_any(tx: &mut Tx) -> Result<bool, Error> {
    Ok(tx.query_one(&ANY, &[]).await?.is_some())
}

statements! {
    ANY = "SELECT position FROM audit LIMIT 1", [] => i64;
    USERS = "SELECT DISTINCT user_id FROM audit ORDER BY user_id", [] => Uuid;
    ADD = TABLE.insert(), TABLE => ();
    BLANK = "UPDATE audit SET detail = '', salt = NULL, digest = $1, hash = $2 WHERE user_id = $3 AND position = $4",
        [Bytes, Bytes, Uuid, Integer] => ();
    LIST = "SELECT * FROM audit WHERE user_id = $1 ORDER BY position DESC LIMIT $2", [Uuid, Integer] => Record;
    ALL = "SELECT * FROM audit WHERE user_id = $1 ORDER BY position", [Uuid] => Record;
}
