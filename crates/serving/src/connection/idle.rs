//! A timer for connections that are idle between two requests. hyper creates a new one for every request; this one stays armed and
//! checks again when it fires, so a request does not touch the runtime's timers. Requests that bypass hyper count too.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

type Armed = Arc<Mutex<Option<Pin<Box<tokio::time::Sleep>>>>>;

/// The timer of one connection.
#[derive(Default)]
pub struct IdleTimer {
    armed: Armed,
    answered: Answered,
}

/// When the connection last sent a response without hyper. Clones share it.
#[derive(Debug, Clone)]
pub struct Answered {
    since: tokio::time::Instant,
    /// Milliseconds after `since`.
    at: Arc<AtomicU64>,
}

impl Default for Answered {
    fn default() -> Answered {
        Answered { since: tokio::time::Instant::now(), at: Arc::default() }
    }
}

impl Answered {
    pub fn now(&self) {
        self.at.store(self.since.elapsed().as_millis() as u64, Ordering::Relaxed);
    }

    fn at(&self) -> tokio::time::Instant {
        self.since + Duration::from_millis(self.at.load(Ordering::Relaxed))
    }
}

impl IdleTimer {
    pub fn of(answered: Answered) -> IdleTimer {
        IdleTimer { answered, ..IdleTimer::default() }
    }
}

impl Timer for IdleTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        let remaining = deadline.saturating_duration_since(self.now());
        Box::pin(IdleSleep { deadline, remaining, armed: self.armed.clone(), answered: self.answered.clone() })
    }

    fn now(&self) -> Instant {
        tokio::time::Instant::now().into_std()
    }
}

struct IdleSleep {
    deadline: Instant,
    remaining: Duration,
    armed: Armed,
    answered: Answered,
}

impl Sleep for IdleSleep {}

impl Future for IdleSleep {
    type Output = ();

    /// The timer was armed for this wait or an earlier one, so it never fires too late.
    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let deadline = tokio::time::Instant::from_std(self.deadline).max(self.answered.at() + self.remaining);
        let mut armed = self.armed.lock().unwrap_or_else(PoisonError::into_inner);
        let sleep = armed.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        if sleep.deadline() > deadline {
            sleep.as_mut().reset(deadline);
        }
        while sleep.as_mut().poll(context).is_ready() {
            if tokio::time::Instant::now() >= deadline {
                *armed = None;
                return Poll::Ready(());
            }
            sleep.as_mut().reset(deadline);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn every_wait_ends_on_time_although_the_timer_is_reused() {
        let timer = IdleTimer::default();
        let began = tokio::time::Instant::now();
        let seconds = Duration::from_secs;
        // Given up after a second each, as when requests come.
        for _ in 0..10 {
            assert!(tokio::time::timeout(seconds(1), timer.sleep(seconds(5))).await.is_err());
        }
        timer.sleep(seconds(5)).await;
        assert_eq!(began.elapsed(), seconds(15));
        timer.sleep(seconds(5)).await;
        assert_eq!(began.elapsed(), seconds(20));
        // A response in between restarts the wait.
        let answered = Answered::default();
        let timer = IdleTimer::of(answered.clone());
        let mut waits = timer.sleep(seconds(5));
        for _ in 0..3 {
            assert!(tokio::time::timeout(seconds(3), &mut waits).await.is_err());
            answered.now();
        }
        waits.await;
        assert_eq!(began.elapsed(), seconds(34));
        let timer = IdleTimer::default();
        // A longer timer that is armed does not delay a shorter one.
        assert!(tokio::time::timeout(seconds(1), timer.sleep(seconds(60))).await.is_err());
        timer.sleep(seconds(2)).await;
        assert_eq!(began.elapsed(), seconds(37));
    }
}
