//! Records dividends on their payment dates, and again when market data has changed.

use std::sync::Arc;
use std::time::Duration;

use jiff::civil::Date;
use tokio::time::Instant;

use super::lead;
use crate::{App, Error, automatic};

const EVERY: Duration = Duration::from_secs(2);
/// Prices change market data all the time, so one change is not followed at once by the next.
const APART: Duration = Duration::from_secs(60);

pub(super) async fn record(app: Arc<App>) {
    let (mut done, mut last) = (None, None::<Instant>);
    loop {
        if last.is_none_or(|last| last.elapsed() >= APART) || done.is_some_and(|(day, _)| day != app.clock.today()) {
            match record_once(&app, done).await {
                Ok(now) if now != done => (done, last) = (now, Some(Instant::now())),
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "dividends could not be recorded"),
            }
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// The day, and the versions of market data, listings and exchange rates.
type Moment = (Date, [i64; 3]);

/// Returns the moment up to which everything is recorded.
async fn record_once(app: &App, done: Option<Moment>) -> Result<Option<Moment>, Error> {
    let versions = app.store.versions().await?;
    let now = Some((app.clock.today(), [versions.market, versions.listings, versions.rates]));
    if now == done || !automatic::is_wanted(app).await? {
        return Ok(now);
    }
    // One of several nodes is enough.
    if lead::take(app, "automatic").await? {
        let recorded = automatic::record_due(app).await;
        lead::release(app, "automatic").await?;
        return recorded.map(|_| now);
    }
    Ok(done)
}
