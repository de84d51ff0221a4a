//! Plans what is kept current.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use store::WriteLock;

use store::refreshes::{self, Topic};
use store::{Tx, tracking};

use super::{POLL, topics};
use crate::{App, Error};

/// How often the list of tracked stocks is checked if no version has changed.
const PLAN_EVERY: u32 = 300;

/// Adds newly tracked stocks to the list within a second, and removes those that nobody tracks any more.
pub(super) async fn planner(app: Arc<App>) {
    let mut planned_at = None;
    loop {
        for _ in 0..PLAN_EVERY {
            match app.store.versions().await.map(|versions| versions.tracking) {
                Ok(version) if planned_at != Some(version) => match plan(&app).await {
                    Ok(()) => planned_at = Some(version),
                    Err(error) => tracing::warn!(%error, "the refresh of market data could not be planned"),
                },
                _ => {}
            }
            tokio::time::sleep(POLL).await;
        }
        planned_at = None;
    }
}

pub(super) async fn plan(app: &App) -> Result<(), Error> {
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    let tracked: BTreeSet<String> = tracking::tracked_symbols(&mut tx).await?.into_iter().collect();
    app.jobs.tracked.store(tracked.len() as u64, Ordering::Relaxed);
    for topic in topics(app) {
        plan_topic(app, &mut tx, topic, &tracked).await?;
    }
    Ok(tx.commit().await?)
}

/// An ISIN only has the topic of prices, which asks for its stock; it has no data of its own.
pub(super) fn is_refreshed(topic: Topic, symbol: &str) -> bool {
    topic == Topic::Quote || market::validation::isin(symbol).is_none()
}

async fn plan_topic(app: &App, tx: &mut Tx, topic: Topic, tracked: &BTreeSet<String>) -> Result<(), Error> {
    let wanted = match topic.is_per_symbol() {
        true => tracked.iter().filter(|symbol| is_refreshed(topic, symbol)).cloned().collect(),
        false => BTreeSet::from([String::new()]),
    };
    let there: BTreeSet<String> = refreshes::symbols(tx, topic).await?.into_iter().collect();
    let missing: Vec<&str> = wanted.difference(&there).map(String::as_str).collect();
    refreshes::enqueue(tx, topic, &missing, app.clock.now_micros()).await?;
    refreshes::keep_only(tx, topic, &wanted).await?;
    Ok(())
}
