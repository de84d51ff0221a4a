//! Devices waiting for a user to type their code elsewhere. Both codes are stored as SHA-256 only.

use uuid::Uuid;

use super::Audience;
use crate::row::Row;
use crate::statement::statements;
use crate::{Error, Tx};

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Pending,
    Approved,
    Denied,
    /// The tokens were issued.
    Used,
}

impl State {
    pub fn word(self) -> &'static str {
        match self {
            State::Pending => "pending",
            State::Approved => "approved",
            State::Denied => "denied",
            State::Used => "used",
        }
    }

    fn of_word(word: &str) -> Option<State> {
        [State::Pending, State::Approved, State::Denied, State::Used].into_iter().find(|state| state.word() == word)
    }
}

pub async fn add(tx: &mut Tx, code: &DeviceCode) -> Result<(), Error> {
    let params = [
        code.hash.as_slice().into(),
        code.user_code_hash.as_slice().into(),
        code.client_id.as_str().into(),
        code.audience.word().into(),
        code.created_at.into(),
        code.expires_at.into(),
        code.interval_seconds.into(),
    ];
    tx.execute(&ADD, &params).await.map(drop)
}

pub async fn by_hash(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<DeviceCode>, Error> {
    tx.query_one(&BY_HASH, &[hash.as_slice().into()], device_code).await
}

pub async fn by_user_code(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<DeviceCode>, Error> {
    tx.query_one(&BY_USER_CODE, &[hash.as_slice().into()], device_code).await
}

pub async fn polled(tx: &mut Tx, hash: &[u8; 32], at: i64, interval_seconds: i64) -> Result<(), Error> {
    tx.execute(&POLLED, &[at.into(), interval_seconds.into(), hash.as_slice().into()]).await.map(drop)
}

pub async fn count_try(tx: &mut Tx, hash: &[u8; 32]) -> Result<(), Error> {
    tx.execute(&COUNT_TRY, &[hash.as_slice().into()]).await.map(drop)
}

/// False if it was already decided.
pub async fn decide(tx: &mut Tx, hash: &[u8; 32], state: State, user_id: Uuid, grant_id: Option<Uuid>) -> Result<bool, Error> {
    let params = [state.word().into(), user_id.into(), grant_id.into(), hash.as_slice().into()];
    Ok(tx.execute(&DECIDE, &params).await? > 0)
}

/// False if its tokens were already issued.
pub async fn set_used(tx: &mut Tx, hash: &[u8; 32]) -> Result<bool, Error> {
    Ok(tx.execute(&SET_USED, &[hash.as_slice().into()]).await? > 0)
}

pub async fn count_pending(tx: &mut Tx, now: i64) -> Result<i64, Error> {
    Ok(tx.query_one(&COUNT_PENDING, &[now.into()], |row| row.i64(0)).await?.unwrap_or(0))
}

pub async fn delete_before(tx: &mut Tx, oldest: i64) -> Result<u64, Error> {
    tx.execute(&DELETE_BEFORE, &[oldest.into()]).await
}

fn device_code(row: &Row<'_>) -> Result<DeviceCode, Error> {
    Ok(DeviceCode {
        hash: row.bytes(0)?,
        user_code_hash: row.bytes(1)?,
        client_id: row.text(2)?,
        audience: row.parse(3, Audience::of_word)?,
        created_at: row.i64(4)?,
        expires_at: row.i64(5)?,
        interval_seconds: row.i64(6)?,
        polled_at: row.opt_i64(7)?,
        tries: row.i64(8)?,
        state: row.parse(9, State::of_word)?,
        user_id: row.opt_uuid(10)?,
        grant_id: row.opt_uuid(11)?,
    })
}

statements! {
    ADD = "INSERT INTO oauth_device_codes (hash, user_code_hash, client_id, audience, created_at, expires_at,
        interval_seconds, tries, state) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 'pending')",
        [Bytes, Bytes, Text, Text, Integer, Integer, Integer] => [];
    BY_HASH = "SELECT hash, user_code_hash, client_id, audience, created_at, expires_at, interval_seconds, polled_at, tries,
        state, user_id, grant_id FROM oauth_device_codes WHERE hash = $1",
        [Bytes] => [Bytes, Bytes, Text, Text, Integer, Integer, Integer, Integer, Integer, Text, Uuid, Uuid];
    BY_USER_CODE = "SELECT hash, user_code_hash, client_id, audience, created_at, expires_at, interval_seconds, polled_at, tries,
        state, user_id, grant_id FROM oauth_device_codes WHERE user_code_hash = $1",
        [Bytes] => [Bytes, Bytes, Text, Text, Integer, Integer, Integer, Integer, Integer, Text, Uuid, Uuid];
    POLLED = "UPDATE oauth_device_codes SET polled_at = $1, interval_seconds = $2 WHERE hash = $3",
        [Integer, Integer, Bytes] => [];
    COUNT_TRY = "UPDATE oauth_device_codes SET tries = tries + 1 WHERE hash = $1", [Bytes] => [];
    DECIDE = "UPDATE oauth_device_codes SET state = $1, user_id = $2, grant_id = $3 WHERE hash = $4 AND state = 'pending'",
        [Text, Uuid, Uuid, Bytes] => [];
    SET_USED = "UPDATE oauth_device_codes SET state = 'used' WHERE hash = $1 AND state = 'approved'", [Bytes] => [];
    COUNT_PENDING = "SELECT COUNT(*) FROM oauth_device_codes WHERE state = 'pending' AND expires_at > $1",
        [Integer] => [Integer];
    DELETE_BEFORE = "DELETE FROM oauth_device_codes WHERE expires_at < $1", [Integer] => [];
}
