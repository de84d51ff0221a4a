//! What every request looks up before anything else, outside any transaction: the owner of its token, and the versions.

use uuid::Uuid;

use crate::Error;
use crate::error::Damage;
use crate::oauth::Audience;
use crate::table::{record, statements};

/// How many sessions one statement looks up.
pub(crate) const SESSIONS_AT_ONCE: usize = 16;

record! {
    /// What one look-up returns about the owner of a token that is not revoked.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Session {
        pub token_id: Uuid,
        pub user_id: Uuid,
        pub user_version: i64,
        pub disabled: bool,
        pub expires_at: Option<i64>,
        /// The front end that an app's token is valid for; a personal token is valid for all.
        pub audience: Option<Audience>,
        pub market_version: i64,
        pub tracking_version: i64,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct Versions {
        pub market: i64,
        pub tracking: i64,
        pub listings: i64,
        pub rates: i64,
    }
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

pub(crate) fn version_missing() -> Error {
    Damage::VersionMissing.into()
}

statements! {
    SESSION = "SELECT t.id, t.user_id, u.version, u.disabled, t.expires_at, t.audience,
        (SELECT value FROM versions WHERE name = 'market'), (SELECT value FROM versions WHERE name = 'tracking')
        FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = $1 AND t.revoked_at IS NULL", [Bytes] => Session;
    SESSIONS = "SELECT t.hash, t.id, t.user_id, u.version, u.disabled, t.expires_at, t.audience,
        (SELECT value FROM versions WHERE name = 'market'), (SELECT value FROM versions WHERE name = 'tracking')
        FROM tokens t JOIN users u ON u.id = t.user_id
        WHERE t.hash IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) AND t.revoked_at IS NULL",
        [Bytes; SESSIONS_AT_ONCE] => ([u8; 32], Session);
    VERSIONS = "SELECT m.value, t.value, l.value, r.value FROM versions m, versions t, versions l, versions r
        WHERE m.name = 'market' AND t.name = 'tracking' AND l.name = 'listings' AND r.name = 'rates'", [] => Versions;
}
