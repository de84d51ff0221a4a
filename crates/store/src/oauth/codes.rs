//! Authorization codes, stored as SHA-256 only. A used code is kept until it expires, so that a second use is noticed.

use uuid::Uuid;

use super::Audience;
use crate::row::Row;
use crate::statement::statements;
use crate::{Error, Tx};

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

pub async fn add(tx: &mut Tx, hash: &[u8; 32], code: &Code) -> Result<(), Error> {
    let params = [
        hash.as_slice().into(),
        code.user_id.into(),
        code.grant_id.into(),
        code.client_id.as_str().into(),
        code.redirect_uri.as_str().into(),
        code.challenge.as_str().into(),
        code.audience.word().into(),
        code.expires_at.into(),
    ];
    tx.execute(&ADD, &params).await.map(drop)
}

pub async fn by_hash(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<Code>, Error> {
    tx.query_one(&BY_HASH, &[hash.as_slice().into()], code).await
}

/// False if it was already used.
pub async fn set_used(tx: &mut Tx, hash: &[u8; 32], at: i64) -> Result<bool, Error> {
    Ok(tx.execute(&SET_USED, &[at.into(), hash.as_slice().into()]).await? > 0)
}

pub async fn delete_before(tx: &mut Tx, oldest: i64) -> Result<u64, Error> {
    tx.execute(&DELETE_BEFORE, &[oldest.into()]).await
}

fn code(row: &Row<'_>) -> Result<Code, Error> {
    Ok(Code {
        user_id: row.uuid(0)?,
        grant_id: row.uuid(1)?,
        client_id: row.text(2)?,
        redirect_uri: row.text(3)?,
        challenge: row.text(4)?,
        audience: row.parse(5, Audience::of_word)?,
        expires_at: row.i64(6)?,
        used_at: row.opt_i64(7)?,
    })
}

statements! {
    ADD = "INSERT INTO oauth_codes (hash, user_id, grant_id, client_id, redirect_uri, challenge, audience, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        [Bytes, Uuid, Uuid, Text, Text, Text, Text, Integer] => [];
    BY_HASH = "SELECT user_id, grant_id, client_id, redirect_uri, challenge, audience, expires_at, used_at
        FROM oauth_codes WHERE hash = $1",
        [Bytes] => [Uuid, Uuid, Text, Text, Text, Text, Integer, Integer];
    SET_USED = "UPDATE oauth_codes SET used_at = $1 WHERE hash = $2 AND used_at IS NULL", [Integer, Bytes] => [];
    DELETE_BEFORE = "DELETE FROM oauth_codes WHERE expires_at < $1", [Integer] => [];
}
