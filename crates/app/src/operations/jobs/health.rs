//! The health of providers and the use of their budgets, shared through the database.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use market::Fault;
use store::WriteLock;
use store::providers::{self, ProviderReport};

use crate::{App, Error};

/// Continues today's budgets, whoever used them.
pub(super) async fn resume(app: &App) -> Result<(), Error> {
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    for state in providers::all(&mut app.store.read().await?).await?.iter().filter(|state| state.day == today) {
        app.sources.market.resume(&state.name, u32::try_from(state.used).unwrap_or(u32::MAX));
    }
    Ok(())
}

/// Saves the health of providers, for the status and for other processes.
pub async fn save_health(app: &App) -> Result<(), Error> {
    let mut reported = app.jobs.reported.lock().await;
    let health = app.sources.market.health();
    let before = |name: &str| reported.get(name).copied().unwrap_or(0);
    let unsaved: Vec<_> = health.iter().map(|one| (one, one.used - before(one.name))).filter(|(_, used)| *used > 0).collect();
    if unsaved.is_empty() {
        return Ok(());
    }
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    for (one, used) in unsaved {
        let micros = |at: Option<Timestamp>| at.map(|at| at.as_microsecond());
        let last_error = one.last_error.as_ref().map(Fault::to_stored);
        let report = ProviderReport {
            name: one.name,
            day: one.day,
            used: i64::try_from(used).unwrap_or(i64::MAX),
            ok_at: micros(one.ok_at),
            failed_at: micros(one.failed_at),
            last_error: last_error.as_deref(),
            open_until: micros(one.rests_for.map(|rest| Timestamp::now() + rest)),
        };
        providers::record(&mut tx, &report).await?;
    }
    tx.commit().await?;
    *reported = health.iter().map(|one| (one.name, one.used)).collect();
    // Requests of commands and other nodes also count.
    resume(app).await
}
