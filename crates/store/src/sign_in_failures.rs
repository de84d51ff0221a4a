//! Wrong passwords, by a hash that does not reveal whether the account exists.

use crate::row::Columns;
use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = sign_in_failures [account] { account: [u8; 32] }

    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Failures {
        pub window_start: i64,
        /// In the current window.
        pub failures: i64,
        /// Since the last success.
        pub consecutive: i64,
        pub blocked_until: i64,
    }
}

pub async fn get(tx: &mut Tx, account: &[u8; 32]) -> Result<Option<Failures>, Error> {
    tx.query_one(&GET, &[account.into()]).await
}

pub async fn put(tx: &mut Tx, account: &[u8; 32], failures: &Failures) -> Result<(), Error> {
    tx.execute(&PUT, &failures.params_after([account.into()])).await.map(drop)
}

pub async fn clear(tx: &mut Tx, account: &[u8; 32]) -> Result<(), Error> {
    tx.execute(&CLEAR, &[account.into()]).await.map(drop)
}

/// Deletes rows without an attempt since then.
pub async fn prune(tx: &mut Tx, before: i64) -> Result<u64, Error> {
    tx.execute(&PRUNE, &[before.into()]).await
}

statements! {
    PRUNE = "DELETE FROM sign_in_failures WHERE window_start < $1 AND blocked_until < $1", [Integer] => ();
    GET = "SELECT * FROM sign_in_failures WHERE account = $1", [Bytes] => Failures;
    PUT = TABLE.upsert(), TABLE => ();
    CLEAR = "DELETE FROM sign_in_failures WHERE account = $1", [Bytes] => ();
}
