//! Counters that rise with every change of market data and tracking, so that outdated cached answers are recognised.

use crate::table::{statements, table};
use crate::{Error, Tx, Versions, look_ups};

table! { TABLE = versions [name] { name: String, value: i64 } }

/// The versions of answers computed in this transaction.
pub async fn get(tx: &mut Tx) -> Result<Versions, Error> {
    tx.query_one(&look_ups::VERSIONS, &[]).await?.ok_or_else(look_ups::version_missing)
}

/// Belongs in the same transaction as every write of market data.
pub async fn bump_market(tx: &mut Tx) -> Result<(), Error> {
    tx.execute(&BUMP, &["market".into()]).await.map(drop)
}

/// Belongs in the same transaction as every write that changes which stocks are tracked, or by how many users.
pub async fn bump_tracking(tx: &mut Tx) -> Result<(), Error> {
    tx.execute(&BUMP, &["tracking".into()]).await.map(drop)
}

/// Belongs in the same transaction as every write that changes the result of [`crate::stocks::listings`].
pub async fn bump_listings(tx: &mut Tx) -> Result<(), Error> {
    tx.execute(&BUMP, &["listings".into()]).await.map(drop)
}

/// Belongs in the same transaction as every write of exchange rates.
pub async fn bump_rates(tx: &mut Tx) -> Result<(), Error> {
    tx.execute(&BUMP, &["rates".into()]).await.map(drop)
}

statements! {
    BUMP = "UPDATE versions SET value = value + 1 WHERE name = $1", [Text] => ();
}
