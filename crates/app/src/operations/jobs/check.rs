//! Checks the whole database while it is served: after the start, and once a day.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::sleep;

use crate::App;

/// Starting the service comes first.
const FIRST: Duration = Duration::from_secs(1);
const AGAIN: Duration = Duration::from_secs(24 * 60 * 60);

pub(super) async fn check(app: Arc<App>) {
    sleep(FIRST).await;
    loop {
        look(&app).await;
        sleep(AGAIN).await;
    }
}

/// The result of the last check.
#[derive(Debug, Clone, Copy)]
pub struct LastCheck {
    pub at: Timestamp,
    /// The number of faults found.
    pub faults: usize,
}

/// `None` before the first check, and if there is no file to check.
pub fn last_check(app: &App) -> Option<LastCheck> {
    *app.jobs.last_check.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn look(app: &App) {
    match app.store.integrity_check().await {
        Ok(faults) => {
            if app.store.file().is_some() {
                let last_check = LastCheck { at: app.clock.now(), faults: faults.len() };
                *app.jobs.last_check.lock().unwrap_or_else(PoisonError::into_inner) = Some(last_check);
            }
            if let (Some(first), Some(file)) = (faults.first(), app.store.file()) {
                let (file, faults) = (file.display(), faults.len());
                tracing::error!(%file, faults, ?first, "the database is not sound; `dripline doctor` says what to do");
            }
        }
        Err(error) => tracing::error!(%error, "the database could not be looked through"),
    }
}
