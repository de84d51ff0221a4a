//! The health of providers and the use of their budgets, shared through the database.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use market::{Fault, Health};
use store::WriteLock;
use store::providers::{self, ProviderReport};

use crate::market::sources::Sources;
use crate::{App, Error};

/// Continues today's budgets, whoever used them.
pub(super) async fn resume(app: &App) -> Result<(), Error> {
    let today = Timestamp::now().to_zoned(TimeZone::UTC).date();
    let sources = app.sources();
    for state in providers::all(&mut app.store.read().await?).await?.iter().filter(|state| state.day == today) {
        sources.market.resume(&state.name, u32::try_from(state.used).unwrap_or(u32::MAX));
    }
    Ok(())
}

/// Saves the health of providers, for the status and for other processes.
pub async fn save_health(app: &App) -> Result<(), Error> {
    let mut reported = app.jobs.reported.lock().await;
    if save(app, &mut reported).await? {
        // Requests of commands and other nodes also count.
        resume(app).await?;
    }
    Ok(())
}

/// False if nothing has happened.
async fn save(app: &App, reported: &mut HashMap<&'static str, u64>) -> Result<bool, Error> {
    let health = app.sources().health();
    let before = |name: &str| reported.get(name).copied().unwrap_or(0);
    let unsaved: Vec<Health> =
        health.iter().map(|one| Health { used: one.used - before(one.name), ..one.clone() }).filter(|one| one.used > 0).collect();
    if unsaved.is_empty() {
        return Ok(false);
    }
    record_health(app, &unsaved).await?;
    *reported = health.iter().map(|one| (one.name, one.used)).collect();
    Ok(true)
}

/// Adds to what is stored.
pub(crate) async fn record_health(app: &App, health: &[Health]) -> Result<(), Error> {
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    for one in health {
        let micros = |at: Option<Timestamp>| at.map(|at| at.as_microsecond());
        let last_error = one.last_error.as_ref().map(Fault::to_stored);
        let report = ProviderReport {
            name: one.name,
            day: one.day,
            used: i64::try_from(one.used).unwrap_or(i64::MAX),
            ok_at: micros(one.ok_at),
            failed_at: micros(one.failed_at),
            last_error: last_error.as_deref(),
            open_until: micros(one.rests_for.map(|rest| Timestamp::now() + rest)),
        };
        providers::record(&mut tx, &report).await?;
    }
    Ok(tx.commit().await?)
}

/// The requests of the old sources are saved; the new ones continue today's budgets.
pub(crate) async fn replace_sources(app: &App, sources: Sources) -> Result<(), Error> {
    let mut reported = app.jobs.reported.lock().await;
    save(app, &mut reported).await?;
    app.sources.send_replace(Arc::new(sources));
    reported.clear();
    drop(reported);
    resume(app).await
}
