//! Deletes abandoned uploads after a day, at the start and while the service runs, on every node.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use crate::App;
use crate::import::staged;

const EVERY: Duration = Duration::from_secs(600);

pub(super) async fn expire(app: Arc<App>) {
    loop {
        match staged::expire(&app).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "uploads that waited for a day were deleted"),
            Err(error) => tracing::warn!(%error, "uploads that waited for a day could not be deleted"),
        }
        sleep(EVERY).await;
    }
}
