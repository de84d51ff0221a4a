//! Devices waiting for a user to type their code elsewhere. Both codes are stored as SHA-256 only.

use uuid::Uuid;

use super::Audience;
use crate::row::Columns;
use crate::table::{statements, table, words};
use crate::{Error, Tx};

table! {
    TABLE = oauth_device_codes [hash]

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DeviceCode {
        pub hash: [u8; 32],
        pub user_code_hash: [u8; 32],
        pub client_id: String,
        pub audience: Audience,
        pub created_at: i64,
        pub expires_at: i64,
        pub interval_seconds: i64,
        pub polled_at: Option<i64>,
        /// How often it was looked up; the number is limited.
        pub tries: i64,
        pub state: State,
        /// The user who decided, if any.
        pub user_id: Option<Uuid>,
        pub grant_id: Option<Uuid>,
    }
}

words! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum State {
        Pending = "pending",
        Approved = "approved",
        Denied = "denied",
        /// The tokens were issued.
        Used = "used",
    }
}

pub async fn add(tx: &mut Tx, code: &DeviceCode) -> Result<(), Error> {
    tx.execute(&ADD, &code.params_after([])).await.map(drop)
}

pub async fn by_hash(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<DeviceCode>, Error> {
    tx.query_one(&BY_HASH, &[hash.into()]).await
}

pub async fn by_user_code(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<DeviceCode>, Error> {
    tx.query_one(&BY_USER_CODE, &[hash.into()]).await
}

pub async fn polled(tx: &mut Tx, hash: &[u8; 32], at: i64, interval_seconds: i64) -> Result<(), Error> {
    tx.execute(&POLLED, &[at.into(), interval_seconds.into(), hash.into()]).await.map(drop)
}

pub async fn count_try(tx: &mut Tx, hash: &[u8; 32]) -> Result<(), Error> {
    tx.execute(&COUNT_TRY, &[hash.into()]).await.map(drop)
}

/// False if it was already decided.
pub async fn decide(tx: &mut Tx, hash: &[u8; 32], state: State, user_id: Uuid, grant_id: Option<Uuid>) -> Result<bool, Error> {
    let params = [state.word().into(), user_id.into(), grant_id.into(), hash.into()];
    Ok(tx.execute(&DECIDE, &params).await? > 0)
}

/// False if its tokens were already issued.
pub async fn set_used(tx: &mut Tx, hash: &[u8; 32]) -> Result<bool, Error> {
    Ok(tx.execute(&SET_USED, &[hash.into()]).await? > 0)
}

pub async fn count_pending(tx: &mut Tx, now: i64) -> Result<i64, Error> {
    tx.count(&COUNT_PENDING, &[now.into()]).await
}

pub async fn delete_before(tx: &mut Tx, oldest: i64) -> Result<u64, Error> {
    tx.execute(&DELETE_BEFORE, &[oldest.into()]).await
}

statements! {
    ADD = TABLE.insert(), TABLE => ();
    BY_HASH = "SELECT * FROM oauth_device_codes WHERE hash = $1", [Bytes] => DeviceCode;
    BY_USER_CODE = "SELECT * FROM oauth_device_codes WHERE user_code_hash = $1", [Bytes] => DeviceCode;
    POLLED = "UPDATE oauth_device_codes SET polled_at = $1, interval_seconds = $2 WHERE hash = $3",
        [Integer, Integer, Bytes] => ();
    COUNT_TRY = "UPDATE oauth_device_codes SET tries = tries + 1 WHERE hash = $1", [Bytes] => ();
    DECIDE = "UPDATE oauth_device_codes SET state = $1, user_id = $2, grant_id = $3 WHERE hash = $4 AND state = 'pending'",
        [Text, Uuid, Uuid, Bytes] => ();
    SET_USED = "UPDATE oauth_device_codes SET state = 'used' WHERE hash = $1 AND state = 'approved'", [Bytes] => ();
    COUNT_PENDING = "SELECT COUNT(*) FROM oauth_device_codes WHERE state = 'pending' AND expires_at > $1", [Integer] => i64;
    DELETE_BEFORE = "DELETE FROM oauth_device_codes WHERE expires_at < $1", [Integer] => ();
}
