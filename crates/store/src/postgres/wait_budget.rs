//! Limits the total time spent waiting for the database.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::{Instant, timeout};

/// A statement up to this long was not waiting but working: an import makes many of them, which is no reason to give up.
const AT_WORK: Duration = Duration::from_millis(100);
/// The minimum number of rows written in that time.
const ROWS_AT_WORK: usize = 128;

/// Leaves time for the rest of a request to be answered within two seconds.
pub(super) const SERVICE_WAIT_LIMIT: Duration = Duration::from_millis(1200);

tokio::task_local! {
    static SPENT: TimeWaited;
}

/// How long a request has waited for PostgreSQL, in microseconds. Clones share the count.
#[derive(Clone, Default)]
pub struct TimeWaited(Arc<AtomicU64>);

impl TimeWaited {
    /// That of the current request, for work that continues in another task.
    pub fn so_far() -> TimeWaited {
        SPENT.try_with(TimeWaited::clone).unwrap_or_default()
    }

    /// Counts all waiting in `work` together, over all its transactions, including what was waited before.
    pub async fn counting<T>(self, work: impl Future<Output = T>) -> T {
        SPENT.scope(self, work).await
    }

    /// The same for one poll of a future.
    pub fn counting_now<T>(&self, poll: impl FnOnce() -> T) -> T {
        SPENT.sync_scope(self.clone(), poll)
    }

    fn waited(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }

    fn add(&self, time: Duration) {
        self.0.fetch_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// Waiting for another request's result also counts, because that may wait for the database.
pub async fn wait_for_another<T>(work: impl Future<Output = T>) -> T {
    let began = Instant::now();
    let result = work.await;
    SPENT.try_with(|spent| spent.add(began.elapsed())).ok();
    result
}

/// Whether the request has used up its wait budget.
pub fn is_wait_budget_spent() -> bool {
    SPENT.try_with(|spent| spent.waited() >= SERVICE_WAIT_LIMIT).unwrap_or(false)
}

/// The rest of the budget, for one transaction or look-up, or for all of [`TimeWaited::counting`] if inside one.
#[derive(Clone)]
pub(super) struct WaitBudget {
    limit: Duration,
    spent: TimeWaited,
}

impl WaitBudget {
    pub(super) fn of(limit: Duration) -> WaitBudget {
        WaitBudget { limit, spent: TimeWaited::so_far() }
    }

    /// A budget of its own, even inside another.
    pub(super) fn alone(limit: Duration) -> WaitBudget {
        WaitBudget { limit, spent: TimeWaited::default() }
    }

    /// For the next wait; never zero, because an immediate answer needs no waiting.
    pub(super) fn left(&self) -> Duration {
        self.limit.saturating_sub(self.spent.waited()) + AT_WORK
    }

    /// `None` if the budget is used up.
    pub(super) async fn wait<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.wait_for(1, work).await
    }

    /// The same for statements about this many rows, which may work for longer.
    pub(super) async fn wait_for<T>(&self, rows: usize, work: impl Future<Output = T>) -> Option<T> {
        let at_work = AT_WORK * u32::try_from(rows.div_ceil(ROWS_AT_WORK)).unwrap_or(u32::MAX);
        let began = Instant::now();
        let result = timeout(self.left() - AT_WORK + at_work, work).await.ok();
        let waited = began.elapsed().saturating_sub(at_work);
        if !waited.is_zero() {
            self.spent.add(waited);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use tokio::time::sleep;

    use super::*;

    const LIMIT: Duration = Duration::from_millis(1000);

    async fn waits(budget: &WaitBudget, millis: u64) -> bool {
        budget.wait(sleep(Duration::from_millis(millis))).await.is_some()
    }

    #[tokio::test(start_paused = true)]
    async fn waits_add_up_and_short_work_does_not() {
        let budget = WaitBudget::of(LIMIT);
        for _ in 0..1000 {
            assert!(waits(&budget, 99).await);
        }
        assert_eq!(budget.left(), LIMIT + AT_WORK);
        assert!(waits(&budget, 700).await);
        assert_eq!(budget.left(), Duration::from_millis(400) + AT_WORK);
        assert!(!waits(&budget, 600).await);
        assert_eq!(budget.left(), AT_WORK);
        assert!(waits(&budget, 50).await);
    }

    #[tokio::test(start_paused = true)]
    async fn many_rows_may_take_longer_but_not_for_ever() {
        let budget = WaitBudget::of(LIMIT);
        for _ in 0..100 {
            assert!(budget.wait_for(1000, sleep(Duration::from_millis(799))).await.is_some());
        }
        assert_eq!(budget.left(), LIMIT + AT_WORK);
        let began = Instant::now();
        assert!(budget.wait_for(1000, pending::<()>()).await.is_none());
        assert_eq!((began.elapsed(), budget.left()), (LIMIT + 8 * AT_WORK, AT_WORK));
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_for_another_request_reduces_the_wait_budget() {
        assert!(!is_wait_budget_spent());
        let after_another = TimeWaited::default().counting(async {
            wait_for_another(sleep(Duration::from_millis(700))).await;
            assert!(!is_wait_budget_spent());
            assert_eq!(WaitBudget::of(LIMIT).left(), Duration::from_millis(300) + AT_WORK);
            wait_for_another(sleep(Duration::from_millis(500))).await;
            (is_wait_budget_spent(), WaitBudget::of(LIMIT).left())
        });
        assert_eq!(after_another.await, (true, AT_WORK));
    }

    #[tokio::test(start_paused = true)]
    async fn the_wait_budget_is_carried_over() {
        let spent = TimeWaited::default();
        spent.clone().counting(async { assert!(WaitBudget::of(LIMIT).wait(pending::<()>()).await.is_none()) }).await;
        assert_eq!(spent.counting_now(|| WaitBudget::of(LIMIT).left()), AT_WORK);
        assert_eq!(TimeWaited::default().counting_now(|| WaitBudget::of(LIMIT).left()), LIMIT + AT_WORK);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_has_one_wait_budget_for_all_its_transactions() {
        let began = Instant::now();
        let in_a_request = TimeWaited::default().counting(async {
            for _ in 0..3 {
                assert!(WaitBudget::of(LIMIT).wait(pending::<()>()).await.is_none());
            }
            began.elapsed()
        });
        assert_eq!(in_a_request.await, Duration::from_millis(1000 + 3 * 100));
        // Without one, each has its own.
        for _ in 0..3 {
            assert!(WaitBudget::of(LIMIT).wait(pending::<()>()).await.is_none());
        }
        assert_eq!(began.elapsed(), Duration::from_millis(1300 + 3 * 1100));
    }
}
