//! Consent forms that were sent: each is accepted once, on all nodes.

use crate::table::{statements, table};
use crate::{Error, Tx};

table! { TABLE = oauth_consents [hash] { hash: [u8; 32], expires_at: i64 } }

/// False if the form was already sent. It is remembered until it would be refused as expired.
pub async fn add(tx: &mut Tx, hash: &[u8; 32], expires_at: i64) -> Result<bool, Error> {
    Ok(tx.execute(&ADD, &[hash.into(), expires_at.into()]).await? > 0)
}

pub async fn is_used(tx: &mut Tx, hash: &[u8; 32]) -> Result<bool, Error> {
    Ok(tx.query_one(&BY_HASH, &[hash.into()]).await?.is_some())
}

pub async fn delete_before(tx: &mut Tx, oldest: i64) -> Result<u64, Error> {
    tx.execute(&DELETE_BEFORE, &[oldest.into()]).await
}

statements! {
    ADD = TABLE.insert() + " ON CONFLICT (hash) DO NOTHING", TABLE => ();
    BY_HASH = "SELECT expires_at FROM oauth_consents WHERE hash = $1", [Bytes] => i64;
    DELETE_BEFORE = "DELETE FROM oauth_consents WHERE expires_at < $1", [Integer] => ();
}
