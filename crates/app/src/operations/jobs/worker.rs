//! Does the due work of one topic.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use store::WriteLock;

use store::refreshes::{self, Topic};
use tokio::task::JoinSet;

use super::health::save_health;
use super::{AFTER_TROUBLE, LEASE_MICROS, POLL};
use crate::market::refresh::{self, Outcome};
use crate::{App, Error};

/// Stocks that a worker processes at once; requests are rate-limited elsewhere.
const IN_HAND: usize = 4;
const QUOTES_IN_HAND_MAX: usize = 100;

pub(super) async fn worker(app: Arc<App>, topic: Topic) {
    loop {
        let pause = match turn(&app, topic).await {
            Ok(0) => POLL,
            Ok(_) => continue,
            Err(error) => {
                tracing::error!(%error, topic = topic.as_str(), "market data could not be refreshed");
                AFTER_TROUBLE
            }
        };
        tokio::time::sleep(pause).await;
    }
}

/// Claims what is due and does it; returns how many items there were.
async fn turn(app: &Arc<App>, topic: Topic) -> Result<usize, Error> {
    if !app.jobs.leads.load(Ordering::Relaxed) || !is_ready(app, topic).await? {
        return Ok(0);
    }
    let now = app.clock.now_micros();
    let limit = if topic == Topic::Quote { quotes_in_hand(app) } else { IN_HAND };
    let mut tx = app.store.write_in(WriteLock::Market).await?;
    let claims = refreshes::claim(&mut tx, topic, now, now + LEASE_MICROS, &app.jobs.holder, limit).await?;
    tx.commit().await?;
    let count = claims.len();
    if topic == Topic::Quote {
        let outcomes = refresh::work(app, topic, &app.jobs.holder, &claims).await?;
        report(app, topic, &outcomes).await?;
        return Ok(count);
    }
    let mut side_by_side = JoinSet::new();
    for claim in claims {
        let app = app.clone();
        side_by_side.spawn(async move { refresh::work(&app, topic, &app.jobs.holder, &[claim]).await });
    }
    while let Some(done) = side_by_side.join_next().await {
        match done {
            Ok(Ok(outcomes)) => report(app, topic, &outcomes).await?,
            // The others continue: if stopped, they would keep their leases without anybody working on them.
            Ok(Err(error)) => tracing::error!(%error, topic = topic.as_str(), "market data could not be refreshed"),
            Err(error) => tracing::error!(%error, topic = topic.as_str(), "a refresh ended unfinished"),
        }
    }
    Ok(count)
}

/// The history of new stocks waits for their quotes, which state the currency, many in one request.
async fn is_ready(app: &App, topic: Topic) -> Result<bool, Error> {
    let now = app.clock.now_micros();
    let mut tx = app.store.read().await?;
    let waits = topic == Topic::History && refreshes::is_first_pending(&mut tx, Topic::Quote, now).await?;
    Ok(!waits && refreshes::is_due(&mut tx, topic, now).await?)
}

/// As many as one request may have; if that is one, a few.
pub(super) fn quotes_in_hand(app: &App) -> usize {
    app.sources().market.quotes_at_once().clamp(IN_HAND, QUOTES_IN_HAND_MAX)
}

async fn report(app: &App, topic: Topic, outcomes: &[(String, Outcome)]) -> Result<(), Error> {
    for (symbol, outcome) in outcomes {
        if let Outcome::Failed(cause) | Outcome::Unknown(cause) = outcome {
            tracing::warn!(topic = topic.as_str(), symbol, ?cause, "market data was not refreshed");
        }
    }
    // The status should show problems with a provider at once.
    let trouble = |outcome: &Outcome| matches!(outcome, Outcome::Failed(_) | Outcome::Waiting(_) | Outcome::OverBudget(_));
    match outcomes.iter().any(|(_, outcome)| trouble(outcome)) {
        true => save_health(app).await,
        false => Ok(()),
    }
}
