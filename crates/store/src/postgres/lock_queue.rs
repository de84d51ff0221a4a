//! Transactions of this node that wait for the same lock queue here instead of each holding a connection: otherwise one busy user
//! would leave none for the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;

/// Held as long as the lock.
pub(super) type Place = OwnedMutexGuard<()>;

#[derive(Default)]
pub(super) struct Lines {
    by_key: Mutex<HashMap<i64, Weak<tokio::sync::Mutex<()>>>>,
}

/// Above this number, unused queues are removed.
const LINES_MAX: usize = 1024;

impl Lines {
    /// `None` if it took too long.
    pub(super) async fn acquire(&self, key: i64, wait_budget: Duration) -> Option<Place> {
        timeout(wait_budget, self.line(key).lock_owned()).await.ok()
    }

    fn line(&self, key: i64) -> Arc<tokio::sync::Mutex<()>> {
        let mut lines = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = lines.get(&key).and_then(Weak::upgrade) {
            return line;
        }
        if lines.len() >= LINES_MAX {
            lines.retain(|_, line| line.strong_count() > 0);
        }
        let line = Arc::default();
        lines.insert(key, Arc::downgrade(&line));
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_key_is_held_by_one_at_a_time_and_waiting_is_limited() {
        let lines = Lines::default();
        let first = lines.acquire(1, Duration::from_secs(1)).await;
        assert!(first.is_some() && lines.acquire(2, Duration::from_secs(1)).await.is_some());
        assert!(lines.acquire(1, Duration::from_secs(1)).await.is_none());
        drop(first);
        assert!(lines.acquire(1, Duration::from_secs(1)).await.is_some());
        for key in 0..10_000 {
            lines.acquire(key, Duration::from_secs(1)).await;
        }
        assert!(lines.by_key.lock().unwrap().len() <= LINES_MAX);
    }
}
