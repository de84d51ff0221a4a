//! Deletes abandoned uploads, and deleted transactions that can no longer be restored, after a day: at the start and while the
//! service runs, on every node.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use crate::import::staged;
use crate::{App, entries};

const EVERY: Duration = Duration::from_secs(600);

pub(super) async fn expire(app: Arc<App>) {
    loop {
        match staged::expire(&app).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "uploads that waited for a day were deleted"),
            Err(error) => tracing::warn!(%error, "uploads that waited for a day could not be deleted"),
        }
        match entries::expire(&app).await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "transactions that were deleted a day ago can no longer be restored"),
            Err(error) => tracing::warn!(%error, "transactions that were deleted a day ago could not be forgotten"),
        }
        sleep(EVERY).await;
    }
}
