//! The rate limit: a sliding window of a minute, and a daily count.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::breaker::{Breaker, Pass};
use super::{Budget, Urgency};
use crate::fault::Fault;

pub(super) struct Pace {
    budget: Budget,
    state: Mutex<State>,
}

struct State {
    /// When the requests of the last minute were made, oldest first.
    recent: VecDeque<Instant>,
    day: Date,
    used: u32,
}

const MINUTE: Duration = Duration::from_secs(60);
/// Plans with few requests a minute do not allow two within a second either.
const FEW: u32 = 10;
const GAP: Duration = Duration::from_millis(1_100);
/// Enough for one gap: a quote may need two requests.
const LIVE_WAIT_MAX: Duration = Duration::from_millis(1_500);

impl Pace {
    pub fn new(budget: Budget) -> Pace {
        Pace { budget, state: Mutex::new(State { recent: VecDeque::new(), day: utc_today(), used: 0 }) }
    }

    /// Waits for the next free slot: in the background as long as needed, for a person only briefly. Fails if the provider is
    /// paused meanwhile.
    pub async fn turn(&self, urgency: Urgency, breaker: &Breaker) -> Result<(), Fault> {
        let since = Instant::now();
        let mut probes = false;
        loop {
            probes = probes || breaker.check()? == Pass::Probe;
            match self.take(urgency, Instant::now(), utc_today())? {
                None => return Ok(()),
                Some(wait) if urgency == Urgency::Live && since.elapsed() + wait > LIVE_WAIT_MAX => {
                    return Err(Fault::OverBudget);
                }
                Some(wait) => tokio::time::sleep(wait).await,
            }
        }
    }

    /// The day and its number of requests.
    pub fn today(&self) -> (Date, u32) {
        let state = self.lock();
        if state.day == utc_today() { (state.day, state.used) } else { (utc_today(), 0) }
    }

    pub fn set_used_today(&self, used: u32) {
        let mut state = self.lock();
        state.roll(utc_today());
        state.used = state.used.max(used);
    }

    /// Takes a slot, or returns how long to wait for one.
    fn take(&self, urgency: Urgency, now: Instant, today: Date) -> Result<Option<Duration>, Fault> {
        let mut state = self.lock();
        state.roll(today);
        let (per_minute, per_day) = self.share(urgency);
        if state.used >= per_day {
            return Err(Fault::OverBudget);
        }
        while state.recent.front().is_some_and(|first| now.duration_since(*first) >= MINUTE) {
            state.recent.pop_front();
        }
        if state.recent.len() >= per_minute as usize {
            let enough_gone = state.recent[state.recent.len() - per_minute as usize];
            return Ok(Some(MINUTE.saturating_sub(now.duration_since(enough_gone)).max(Duration::from_millis(1))));
        }
        if let Some(last) = state.recent.back().filter(|last| self.budget.per_minute <= FEW && now.duration_since(**last) < GAP) {
            return Ok(Some(GAP.saturating_sub(now.duration_since(*last))));
        }
        state.recent.push_back(now);
        state.used += 1;
        Ok(None)
    }

    /// A fifth of the minute and a tenth of the day are reserved for people who wait.
    fn share(&self, urgency: Urgency) -> (u32, u32) {
        let Budget { per_minute, per_day } = self.budget;
        match urgency {
            Urgency::Live => (per_minute, per_day),
            Urgency::Background => (per_minute - per_minute / 5, per_day - per_day / 10),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn roll(&mut self, today: Date) {
        if self.day != today {
            (self.day, self.used) = (today, 0);
        }
    }
}

/// Today by the real clock, which providers count by, whatever clock the service was given.
fn utc_today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const DAY: Date = date(2026, 3, 2);

    fn pace(per_minute: u32, per_day: u32) -> Pace {
        Pace::new(Budget { per_minute, per_day })
    }

    #[test]
    fn no_minute_exceeds_its_budget() {
        let pace = pace(3, 100);
        let start = Instant::now();
        for second in [0, 10, 20] {
            assert_eq!(pace.take(Urgency::Live, start + Duration::from_secs(second), DAY), Ok(None));
        }
        let wait = pace.take(Urgency::Live, start + Duration::from_secs(50), DAY).unwrap();
        assert_eq!(wait, Some(Duration::from_secs(10)));
        assert_eq!(pace.take(Urgency::Live, start + Duration::from_secs(60), DAY), Ok(None));
        assert!(pace.take(Urgency::Live, start + Duration::from_secs(61), DAY).unwrap().is_some());
    }

    #[test]
    fn a_small_budget_is_spread_over_time() {
        let (pace, start) = (pace(5, 25), Instant::now());
        assert_eq!(pace.take(Urgency::Background, start, DAY), Ok(None));
        assert_eq!(pace.take(Urgency::Background, start, DAY), Ok(Some(GAP)));
        assert_eq!(pace.take(Urgency::Background, start + GAP, DAY), Ok(None));
    }

    #[test]
    fn background_requests_leave_budget_for_live_ones() {
        let pace = pace(100, 200);
        let now = Instant::now();
        for _ in 0..80 {
            assert_eq!(pace.take(Urgency::Background, now, DAY), Ok(None));
        }
        assert!(pace.take(Urgency::Background, now, DAY).unwrap().is_some());
        assert_eq!(pace.take(Urgency::Live, now, DAY), Ok(None));
    }

    #[test]
    fn each_day_has_its_own_budget() {
        let pace = pace(100, 2);
        let now = Instant::now();
        assert_eq!(pace.take(Urgency::Live, now, DAY), Ok(None));
        assert_eq!(pace.take(Urgency::Live, now, DAY), Ok(None));
        assert_eq!(pace.take(Urgency::Live, now, DAY), Err(Fault::OverBudget));
        assert_eq!(pace.take(Urgency::Live, now, date(2026, 3, 3)), Ok(None));
    }
}
