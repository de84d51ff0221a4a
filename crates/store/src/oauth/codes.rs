//! Authorization codes, stored as SHA-256 only. A used code is kept until it expires, so that a second use is noticed.

use uuid::Uuid;

use super::Audience;
use crate::row::Columns;
use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = oauth_codes [hash] { hash: [u8; 32] }

    #[derive(Clone)]
    pub struct Code {
        pub user_id: Uuid,
        pub grant_id: Uuid,
        pub client_id: String,
        pub redirect_uri: String,
        /// SHA-256 of the verifier, in the app's encoding.
        pub challenge: String,
        pub audience: Audience,
        pub expires_at: i64,
        pub used_at: Option<i64>,
    }
}

pub async fn add(tx: &mut Tx, hash: &[u8; 32], code: &Code) -> Result<(), Error> {
    tx.execute(&ADD, &code.params_after([hash.into()])).await.map(drop)
}

pub async fn by_hash(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<Code>, Error> {
    tx.query_one(&BY_HASH, &[hash.into()]).await
}

/// False if it was already used.
pub async fn set_used(tx: &mut Tx, hash: &[u8; 32], at: i64) -> Result<bool, Error> {
    Ok(tx.execute(&SET_USED, &[at.into(), hash.into()]).await? > 0)
}

pub async fn delete_before(tx: &mut Tx, oldest: i64) -> Result<u64, Error> {
    tx.execute(&DELETE_BEFORE, &[oldest.into()]).await
}

statements! {
    ADD = TABLE.insert(), TABLE => ();
    BY_HASH = "SELECT * FROM oauth_codes WHERE hash = $1", [Bytes] => Code;
    SET_USED = "UPDATE oauth_codes SET used_at = $1 WHERE hash = $2 AND used_at IS NULL", [Integer, Bytes] => ();
    DELETE_BEFORE = "DELETE FROM oauth_codes WHERE expires_at < $1", [Integer] => ();
}
