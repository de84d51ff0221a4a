//! Links that confirm a new e-mail address, stored as SHA-256 only.

use uuid::Uuid;

use crate::table::{statements, table};
use crate::{Error, Tx};

table! { TABLE = email_changes [hash] { hash: [u8; 32], user_id: Uuid, email: String, expires_at: i64 } }

pub async fn add(tx: &mut Tx, hash: &[u8; 32], user_id: Uuid, email: &str, expires_at: i64) -> Result<(), Error> {
    tx.execute(&ADD, &[hash.into(), user_id.into(), email.into(), expires_at.into()]).await.map(drop)
}

/// The address of one of the user's links, while it is valid.
pub async fn email(tx: &mut Tx, user_id: Uuid, hash: &[u8; 32], now: i64) -> Result<Option<String>, Error> {
    tx.query_one(&EMAIL, &[user_id.into(), hash.into(), now.into()]).await
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
    EMAIL = "SELECT email FROM email_changes WHERE user_id = $1 AND hash = $2 AND expires_at > $3",
        [Uuid, Bytes, Integer] => String;
    COUNT = "SELECT COUNT(*) FROM email_changes WHERE user_id = $1 AND expires_at > $2", [Uuid, Integer] => i64;
    CLEAR = "DELETE FROM email_changes WHERE user_id = $1", [Uuid] => ();
    CLEAR_EXPIRED = "DELETE FROM email_changes WHERE user_id = $1 AND expires_at <= $2", [Uuid, Integer] => ();
}
