//! Transactions of this node that wait for the same lock queue here instead of each holding a connection: otherwise one busy user
//! would leave none for the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout;
use uuid::Uuid;

/// Held as long as the lock.
pub(super) type QueueGuard = OwnedMutexGuard<()>;

#[derive(Default)]
pub(super) struct LockQueues {
    by_key: Mutex<HashMap<i64, Weak<tokio::sync::Mutex<()>>>>,
}

/// Above this number, unused queues are removed.
const QUEUES_MAX: usize = 1024;

impl LockQueues {
    /// `None` if it took too long.
    pub(super) async fn acquire(&self, key: i64, wait_budget: Duration) -> Option<QueueGuard> {
        timeout(wait_budget, self.queue(key).lock_owned()).await.ok()
    }

    fn queue(&self, key: i64) -> Arc<tokio::sync::Mutex<()>> {
        let mut queues = self.by_key.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = queues.get(&key).and_then(Weak::upgrade) {
            return queue;
        }
        if queues.len() >= QUEUES_MAX {
            queues.retain(|_, queue| queue.strong_count() > 0);
        }
        let queue = Arc::default();
        queues.insert(key, Arc::downgrade(&queue));
        queue
    }
}

/// Users whose ids have the same last half wait for each other, with no other effect.
pub(super) fn of_user(user_id: Uuid) -> i64 {
    user_id.as_u64_pair().1 as i64
}

pub(super) fn advisory_lock(key: i64) -> String {
    format!("SELECT pg_advisory_xact_lock({key})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_key_is_held_by_one_at_a_time_and_waiting_is_limited() {
        let queues = LockQueues::default();
        let first = queues.acquire(1, Duration::from_secs(1)).await;
        assert!(first.is_some() && queues.acquire(2, Duration::from_secs(1)).await.is_some());
        assert!(queues.acquire(1, Duration::from_secs(1)).await.is_none());
        drop(first);
        assert!(queues.acquire(1, Duration::from_secs(1)).await.is_some());
        for key in 0..10_000 {
            queues.acquire(key, Duration::from_secs(1)).await;
        }
        assert!(queues.by_key.lock().unwrap().len() <= QUEUES_MAX);
    }
}
