//! Background jobs that keep market data current. Each topic has its own worker; the database has what is due. Only one of
//! several nodes works, to respect the providers' budgets; a lease on each item keeps commands from doing it too. Other jobs
//! check the database, delete expired uploads, match securities and record dividends.

mod automatic;
mod check;
pub(crate) mod health;
mod lead;
mod matching;
mod now;
mod planner;
mod uploads;
mod worker;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use market::Ability;
use store::refreshes::Topic;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::App;
use crate::market::choice;
use crate::market::refresh::files::Seen;

pub use check::{LastCheck, last_check};
pub use health::save_health;
pub use lead::step_down;
pub use now::{Refreshed, refresh_now, refresh_soon};

const POLL: Duration = Duration::from_secs(1);
const AFTER_TROUBLE: Duration = Duration::from_secs(10);
/// How long an item stays with a silent process.
const LEASE_MICROS: i64 = 600_000_000;

pub(crate) struct Jobs {
    /// Identifies this process among those that share the database.
    holder: String,
    leads: AtomicBool,
    tracked: AtomicU64,
    folder: Mutex<Seen>,
    /// How many of each provider's requests are in the database; locked while writing, so that nothing is counted twice.
    reported: tokio::sync::Mutex<HashMap<&'static str, u64>>,
    last_check: Mutex<Option<LastCheck>>,
}

impl Default for Jobs {
    fn default() -> Jobs {
        Jobs {
            holder: Uuid::now_v7().to_string(),
            leads: AtomicBool::new(false),
            tracked: AtomicU64::new(0),
            folder: Mutex::default(),
            reported: tokio::sync::Mutex::default(),
            last_check: Mutex::default(),
        }
    }
}

impl Jobs {
    pub fn tracked(&self) -> u64 {
        self.tracked.load(Ordering::Relaxed)
    }

    pub fn folder_seen(&self) -> Seen {
        self.folder.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn set_folder_seen(&self, seen: Seen) {
        *self.folder.lock().unwrap_or_else(PoisonError::into_inner) = seen;
    }
}

/// Runs until it is dropped.
pub async fn run(app: Arc<App>) {
    let (healing, choosing) = (matching::heal(app.clone()), choice::follow(app.clone()));
    let recording = automatic::record(app.clone());
    tokio::join!(check::check(app.clone()), uploads::expire(app.clone()), healing, choosing, recording, refresh(app));
}

/// Starts again whenever the sources change.
async fn refresh(app: Arc<App>) {
    let mut sources = app.sources.subscribe();
    loop {
        sources.mark_unchanged();
        let mut workers = workers(&app).await;
        if sources.changed().await.is_err() {
            return;
        }
        workers.shutdown().await;
        if let Err(error) = lead::step_down(&app).await {
            tracing::warn!(%error, "the refresh of market data could not be handed over");
        }
    }
}

/// None if there is no source of market data.
async fn workers(app: &Arc<App>) -> JoinSet<()> {
    let mut workers = JoinSet::new();
    if app.sources().is_empty() {
        return workers;
    }
    if let Err(error) = health::resume(app).await {
        tracing::warn!(%error, "the providers' budgets of today could not be read");
    }
    workers.spawn(supervise(app.clone(), lead::lead));
    workers.spawn(supervise(app.clone(), planner::planner));
    for topic in topics(app) {
        workers.spawn(supervise(app.clone(), move |app| worker::worker(app, topic)));
    }
    workers
}

/// Restarts a job that ended, which only a bug can cause: no topic stops until the next restart.
async fn supervise<F: Future<Output = ()> + Send + 'static>(app: Arc<App>, work: impl Fn(Arc<App>) -> F) {
    loop {
        let mut running = JoinSet::new();
        running.spawn(work(app.clone()));
        if let Some(Err(error)) = running.join_next().await {
            tracing::error!(%error, "the refresh of market data broke off and begins anew");
        }
        tokio::time::sleep(AFTER_TROUBLE).await;
    }
}

/// What the current sources can do.
fn topics(app: &App) -> Vec<Topic> {
    let sources = app.sources();
    let market = &sources.market;
    let history = [Ability::Dividends, Ability::Splits, Ability::Closes].into_iter().any(|ability| market.can(ability));
    let offered = [
        (Topic::Quote, market.can(Ability::Quotes)),
        (Topic::Profile, market.can(Ability::Profile)),
        (Topic::History, history),
        (Topic::Calendar, market.can(Ability::Calendar)),
        (Topic::Rates, market.can(Ability::Rates)),
        (Topic::Files, sources.folder.is_some()),
    ];
    offered.into_iter().filter(|(_, offered)| *offered).map(|(topic, _)| topic).collect()
}
