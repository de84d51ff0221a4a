//! Password reset links, stored as SHA-256 only.

use uuid::Uuid;

use crate::row::Columns;
use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = resets [hash] { hash: [u8; 32], expires_at: i64 }

    /// The owner of the link, and whether it was mailed to the account's address.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Owner {
        pub user_id: Uuid,
        pub mailed: bool,
    }
}

pub async fn add(tx: &mut Tx, hash: &[u8; 32], owner: Owner, expires_at: i64) -> Result<(), Error> {
    tx.execute(&ADD, &owner.params_after([hash.into(), expires_at.into()])).await.map(drop)
}

/// `None` unless the link is valid.
pub async fn owner(tx: &mut Tx, hash: &[u8; 32], now: i64) -> Result<Option<Owner>, Error> {
    tx.query_one(&OWNER, &[hash.into(), now.into()]).await
}

/// How many of the user's links are valid.
pub async fn count(tx: &mut Tx, user_id: Uuid, now: i64) -> Result<i64, Error> {
    tx.count(&COUNT, &[user_id.into(), now.into()]).await
}

/// Deletes all of the user's links, valid or not.
pub async fn clear(tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    tx.execute(&CLEAR, &[user_id.into()]).await.map(drop)
}

pub async fn clear_expired(tx: &mut Tx, user_id: Uuid, now: i64) -> Result<(), Error> {
    tx.execute(&CLEAR_EXPIRED, &[user_id.into(), now.into()]).await.map(drop)
}

statements! {
    ADD = TABLE.insert(), TABLE => ();
    OWNER = "SELECT * FROM resets WHERE hash = $1 AND expires_at > $2", [Bytes, Integer] => Owner;
    COUNT = "SELECT COUNT(*) FROM resets WHERE user_id = $1 AND expires_at > $2", [Uuid, Integer] => i64;
    CLEAR = "DELETE FROM resets WHERE user_id = $1", [Uuid] => ();
    CLEAR_EXPIRED = "DELETE FROM resets WHERE user_id = $1 AND expires_at <= $2", [Uuid, Integer] => ();
}
