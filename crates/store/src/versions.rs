//! Counters that rise with every change of market data and tracking, so that outdated cached answers are recognised.

use crate::error::Damage;
use crate::row::Row;
use crate::statement::statements;
use crate::{Error, Tx};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Versions {
    pub market: i64,
    pub tracking: i64,
    pub listings: i64,
    pub rates: i64,
}

impl Versions {
    /// Whether no counter is lower than in `wanted`.
    pub fn reaches(&self, wanted: &Versions) -> bool {
        self.market >= wanted.market
            && self.tracking >= wanted.tracking
            && self.listings >= wanted.listings
            && self.rates >= wanted.rates
    }
}

/// The versions of answers computed in this transaction.
pub async fn get(tx: &mut Tx) -> Result<Versions, Error> {
    tx.query_one(&GET, &[], versions).await?.ok_or_else(missing)
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

pub(crate) fn versions(row: &Row<'_>) -> Result<Versions, Error> {
    Ok(Versions { market: row.i64(0)?, tracking: row.i64(1)?, listings: row.i64(2)?, rates: row.i64(3)? })
}

pub(crate) fn missing() -> Error {
    Damage::VersionMissing.into()
}

statements! {
    GET = "SELECT m.value, t.value, l.value, r.value FROM versions m, versions t, versions l, versions r
        WHERE m.name = 'market' AND t.name = 'tracking' AND l.name = 'listings' AND r.name = 'rates'",
        [] => [Integer, Integer, Integer, Integer];
    BUMP = "UPDATE versions SET value = value + 1 WHERE name = $1", [Text] => [];
}
