//! The database, looked through from end to end while it is served: after the start, and once a day.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use crate::App;

/// Whoever waits for the service to start comes first.
const FIRST: Duration = Duration::from_secs(1);
const AGAIN: Duration = Duration::from_secs(24 * 60 * 60);

pub(super) async fn check(app: Arc<App>) {
    sleep(FIRST).await;
    loop {
        look(&app).await;
        sleep(AGAIN).await;
    }
}

async fn look(app: &App) {
    match app.store.integrity_check().await {
        Ok(faults) => {
            if let (Some(first), Some(file)) = (faults.first(), app.store.file()) {
                let (file, faults) = (file.display(), faults.len());
                tracing::error!(%file, faults, first, "the database is not sound; `dripline doctor` says what to do");
            }
        }
        Err(error) => tracing::error!(%error, "the database could not be looked through"),
    }
}
