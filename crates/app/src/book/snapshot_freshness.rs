//! Users whose snapshots were all found current at some moment: they are not checked again until the day or market data change.
//! Snapshots marked since then do not matter here, because every write of entries recomputes them.

use jiff::civil::Date;
use quick_cache::sync::Cache;
use store::{Tx, versions};
use uuid::Uuid;

use crate::{App, Error};

const USERS_MAX: usize = 5_000;

pub(crate) struct SnapshotFreshness {
    users: Cache<Uuid, Moment>,
}

/// What decides whether a snapshot is current, besides entries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    day: Date,
    market: i64,
    listings: i64,
    rates: i64,
}

impl Default for SnapshotFreshness {
    fn default() -> SnapshotFreshness {
        SnapshotFreshness { users: Cache::new(USERS_MAX) }
    }
}

impl SnapshotFreshness {
    pub fn is(&self, user_id: Uuid, now: Moment) -> bool {
        self.users.get(&user_id) == Some(now)
    }

    pub fn note(&self, user_id: Uuid, now: Moment) {
        self.users.insert(user_id, now);
    }
}

impl Moment {
    /// Taken before checking anything: a change during the check makes it another moment.
    pub async fn now(app: &App, tx: &mut Tx) -> Result<Moment, Error> {
        let versions = versions::get(tx).await?;
        let (market, listings, rates) = (versions.market, versions.listings, versions.rates);
        Ok(Moment { day: app.clock.today(), market, listings, rates })
    }
}
