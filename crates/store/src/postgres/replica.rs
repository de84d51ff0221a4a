//! The replica, for data that may be read from one.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::lease::Lease;
use super::pool::Pool;

/// How long a failed replica is not used, so that not every request waits for it.
const PAUSE: Duration = Duration::from_secs(5);

pub(super) struct Replica {
    pool: Pool,
    paused_until: Mutex<Option<Instant>>,
}

impl Replica {
    pub(super) fn new(pool: Pool) -> Replica {
        Replica { pool, paused_until: Mutex::new(None) }
    }

    /// `None` if it does not respond, or did not a moment ago.
    pub(super) async fn read(&self) -> Option<Lease> {
        if self.paused_until().is_some_and(|until| Instant::now() < until) {
            return None;
        }
        match self.pool.read().await {
            Ok(lease) => Some(lease),
            Err(_) => {
                self.pause();
                None
            }
        }
    }

    /// After it failed in the middle of something.
    pub(super) fn pause(&self) {
        *self.paused_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + PAUSE);
    }

    pub(super) async fn answers(&self) -> bool {
        self.pool.read().await.is_ok()
    }

    fn paused_until(&self) -> Option<Instant> {
        *self.paused_until.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
