//! Each provider's usage today, and whether it works.

use jiff::civil::Date;

use crate::table::{statements, table};
use crate::{Error, Tx};

table! {
    TABLE = providers [name]

    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ProviderState {
        pub name: String,
        pub day: Date,
        /// Requests on that day.
        pub used: i64,
        pub ok_at: Option<i64>,
        pub failed_at: Option<i64>,
        pub last_error: Option<String>,
        /// The provider is paused until then.
        pub open_until: Option<i64>,
    }
}

/// What happened since the last report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderReport<'a> {
    pub name: &'a str,
    pub day: Date,
    /// Added to the count of the same day; on a new day the count starts again.
    pub used: i64,
    /// `None` keeps the stored value, as in the next two fields.
    pub ok_at: Option<i64>,
    pub failed_at: Option<i64>,
    pub last_error: Option<&'a str>,
    /// Replaces the stored value, even with `None`.
    pub open_until: Option<i64>,
}

/// By name.
pub async fn all(tx: &mut Tx) -> Result<Vec<ProviderState>, Error> {
    tx.query(&ALL, &[]).await
}

pub async fn record(tx: &mut Tx, report: &ProviderReport<'_>) -> Result<(), Error> {
    let params = [
        report.name.into(),
        report.day.into(),
        report.used.into(),
        report.ok_at.into(),
        report.failed_at.into(),
        report.last_error.into(),
        report.open_until.into(),
    ];
    tx.execute(&RECORD, &params).await.map(drop)
}

statements! {
    ALL = "SELECT * FROM providers ORDER BY name", [] => ProviderState;
    RECORD = TABLE.insert() + " ON CONFLICT (name) DO UPDATE SET
        used = CASE WHEN providers.day = excluded.day THEN providers.used + excluded.used ELSE excluded.used END,
        day = excluded.day, ok_at = COALESCE(excluded.ok_at, providers.ok_at),
        failed_at = COALESCE(excluded.failed_at, providers.failed_at),
        last_error = COALESCE(excluded.last_error, providers.last_error), open_until = excluded.open_until", TABLE => ();
}
