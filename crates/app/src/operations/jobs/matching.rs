//! Matches securities when market data, ledgers or exchange rates have changed.

use std::sync::Arc;
use std::time::Duration;

use super::lead;
use crate::{App, Error, matching};

const EVERY: Duration = Duration::from_secs(2);

pub(super) async fn heal(app: Arc<App>) {
    let mut done = None;
    loop {
        match heal_once(&app, done).await {
            Ok(versions) => done = versions,
            Err(error) => tracing::warn!(%error, "securities could not be matched"),
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Returns the versions up to which everything is matched.
async fn heal_once(app: &App, done: Option<[i64; 3]>) -> Result<Option<[i64; 3]>, Error> {
    let versions = app.store.versions().await?;
    let now = Some([versions.listings, versions.tracking, versions.rates]);
    // One of several nodes is enough.
    if now != done && lead::take(app, "matching").await? {
        let healed = matching::heal(app, None).await;
        lead::release(app, "matching").await?;
        return healed.map(|_| now);
    }
    Ok(done)
}
