//! Leader election: one of several nodes refreshes.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use store::WriteLock;

use jiff::Timestamp;
use store::{leases, refreshes};

use crate::{App, Error};

/// How long the others wait for a silent node.
const LEAD_MICROS: i64 = 20_000_000;
const LEAD_EVERY: Duration = Duration::from_secs(4);

/// Keeps the lead, or takes it from a silent node. Uses the real clock: with a fixed one, a lease would never expire.
pub(super) async fn lead(app: Arc<App>) {
    loop {
        let leads = take(&app, "refresh").await.unwrap_or_else(|error| {
            tracing::warn!(%error, "whether this node refreshes market data could not be settled");
            false
        });
        app.jobs.leads.store(leads, Ordering::Relaxed);
        tokio::time::sleep(LEAD_EVERY).await;
    }
}

/// Takes or extends the lead in one kind of work. False if another node has it.
pub(super) async fn take(app: &App, work: &str) -> Result<bool, Error> {
    let now = Timestamp::now().as_microsecond();
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    let taken = leases::take(&mut tx, work, &app.jobs.holder, now, now + LEAD_MICROS).await?;
    tx.commit().await?;
    Ok(taken)
}

/// Lets another node do that work at once.
pub(super) async fn release(app: &App, work: &str) -> Result<(), Error> {
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    leases::release(&mut tx, work, &app.jobs.holder).await?;
    Ok(tx.commit().await?)
}

/// Lets another node, or this one after a restart, continue at once, including work in progress.
pub async fn step_down(app: &App) -> Result<(), Error> {
    if !app.jobs.leads.swap(false, Ordering::Relaxed) {
        return Ok(());
    }
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    leases::release(&mut tx, "refresh", &app.jobs.holder).await?;
    refreshes::release(&mut tx, &app.jobs.holder).await?;
    Ok(tx.commit().await?)
}
