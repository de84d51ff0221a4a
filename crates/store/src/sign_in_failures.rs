//! Wrong passwords, by a hash that does not reveal whether the account exists.

use crate::statement::statements;
use crate::{Error, Tx};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Failures {
    pub window_start: i64,
    /// In the current window.
    pub failures: i64,
    /// Since the last success.
    pub consecutive: i64,
    pub blocked_until: i64,
}

pub async fn get(tx: &mut Tx, account: &[u8; 32]) -> Result<Option<Failures>, Error> {
    tx.query_one(&GET, &[account.as_slice().into()], |row| {
        Ok(Failures { window_start: row.i64(0)?, failures: row.i64(1)?, consecutive: row.i64(2)?, blocked_until: row.i64(3)? })
    })
    .await
}

pub async fn put(tx: &mut Tx, account: &[u8; 32], failures: &Failures) -> Result<(), Error> {
    let params = [
        account.as_slice().into(),
        failures.window_start.into(),
        failures.failures.into(),
        failures.consecutive.into(),
        failures.blocked_until.into(),
    ];
    tx.execute(&PUT, &params).await.map(drop)
}

pub async fn clear(tx: &mut Tx, account: &[u8; 32]) -> Result<(), Error> {
    tx.execute(&CLEAR, &[account.as_slice().into()]).await.map(drop)
}

/// Deletes rows without an attempt since then.
pub async fn prune(tx: &mut Tx, before: i64) -> Result<u64, Error> {
    tx.execute(&PRUNE, &[before.into()]).await
}

statements! {
    PRUNE = "DELETE FROM sign_in_failures WHERE window_start < $1 AND blocked_until < $1", [Integer] => [];
    GET = "SELECT window_start, failures, consecutive, blocked_until FROM sign_in_failures WHERE account = $1",
        [Bytes] => [Integer, Integer, Integer, Integer];
    PUT = "INSERT INTO sign_in_failures (account, window_start, failures, consecutive, blocked_until)
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT (account) DO UPDATE SET window_start = excluded.window_start,
        failures = excluded.failures, consecutive = excluded.consecutive, blocked_until = excluded.blocked_until",
        [Bytes, Integer, Integer, Integer, Integer] => [];
    CLEAR = "DELETE FROM sign_in_failures WHERE account = $1", [Bytes] => [];
}
