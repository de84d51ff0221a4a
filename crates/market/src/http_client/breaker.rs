//! The circuit breaker: pauses a provider that keeps failing, longer each time, and lets one request through to see whether it
//! works again.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::fault::Fault;

#[derive(Default)]
pub(super) struct Breaker {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    failures_in_a_row: u32,
    rests: u32,
    rest: Option<Rest>,
}

struct Rest {
    until: Instant,
    /// The provider's last fault.
    cause: Fault,
}

/// Which requests may go through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    Free,
    /// The request that tests whether it works again.
    Probe,
}

const FAILURES_MAX: u32 = 5;
const REST_MIN: Duration = Duration::from_secs(5);
/// One request a minute does no harm and soon finds out that the provider works again.
const REST_MAX: Duration = Duration::from_secs(60);
/// Limits a pause that a provider asks for: a day's quota is the longest reasonable one.
const ASKED_MAX: Duration = Duration::from_secs(24 * 3600);
/// How long a probe may take before another may start.
const PROBE_TIME: Duration = Duration::from_secs(5);

impl Breaker {
    pub fn check(&self) -> Result<Pass, Fault> {
        self.check_at(Instant::now())
    }

    pub fn succeeded(&self) {
        *self.lock() = State::default();
    }

    pub fn failed(&self, fault: &Fault) {
        self.failed_at(fault, Instant::now());
    }

    pub fn rests_for(&self) -> Option<Duration> {
        let until = self.lock().rest.as_ref()?.until;
        until.checked_duration_since(Instant::now())
    }

    fn check_at(&self, now: Instant) -> Result<Pass, Fault> {
        let mut state = self.lock();
        let Some(rest) = &mut state.rest else { return Ok(Pass::Free) };
        match rest.until.checked_duration_since(now).filter(|left| !left.is_zero()) {
            Some(left) => Err(Fault::Resting(left, Box::new(rest.cause.clone()))),
            None => {
                // This request probes; others stay paused until it returns.
                rest.until = now + PROBE_TIME;
                Ok(Pass::Probe)
            }
        }
    }

    fn failed_at(&self, fault: &Fault, now: Instant) {
        let mut state = self.lock();
        state.failures_in_a_row += 1;
        let throttled = matches!(fault, Fault::Throttled(_));
        if !throttled && state.failures_in_a_row < FAILURES_MAX && state.rest.is_none() {
            return;
        }
        let usual = REST_MIN.saturating_mul(1 << state.rests.min(7)).min(REST_MAX);
        let rest = match fault {
            // A provider that keeps throttling without asking for a pause gets one anyway.
            Fault::Throttled(Some(asked)) if state.failures_in_a_row >= FAILURES_MAX => (*asked).max(usual).min(ASKED_MAX),
            Fault::Throttled(Some(asked)) => (*asked).min(ASKED_MAX),
            _ => usual,
        };
        state.rests += 1;
        state.rest = Some(Rest { until: now + rest, cause: fault.clone() });
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest_at(breaker: &Breaker, now: Instant) -> Option<u64> {
        match breaker.check_at(now) {
            Ok(_) => None,
            Err(Fault::Resting(rest, _)) => Some(rest.as_secs()),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn five_failures_in_a_row_open_the_breaker_until_a_probe() {
        let (breaker, start) = (Breaker::default(), Instant::now());
        for _ in 0..4 {
            breaker.failed_at(&Fault::TimedOut, start);
            assert_eq!(rest_at(&breaker, start), None);
        }
        breaker.failed_at(&Fault::TimedOut, start);
        assert_eq!(rest_at(&breaker, start), Some(5));
        let later = start + Duration::from_secs(5);
        assert_eq!(rest_at(&breaker, later), None, "the probe");
        assert_eq!(rest_at(&breaker, later), Some(5), "not a second one");
    }

    #[test]
    fn each_failed_probe_doubles_the_pause_and_a_success_closes_the_breaker() {
        let (breaker, start) = (Breaker::default(), Instant::now());
        for _ in 0..6 {
            breaker.failed_at(&Fault::Status(500), start);
        }
        assert_eq!(rest_at(&breaker, start), Some(10));
        breaker.succeeded();
        assert_eq!(rest_at(&breaker, start), None);
    }

    #[test]
    fn a_throttling_provider_is_paused_for_as_long_as_it_asks() {
        let (breaker, start) = (Breaker::default(), Instant::now());
        breaker.failed_at(&Fault::Throttled(Some(Duration::from_secs(90))), start);
        assert_eq!(rest_at(&breaker, start), Some(90));
        let endless = Breaker::default();
        endless.failed_at(&Fault::Throttled(Some(Duration::from_secs(u32::MAX.into()))), start);
        assert_eq!(rest_at(&endless, start), Some(86_400));
        let silent = Breaker::default();
        silent.failed_at(&Fault::Throttled(None), start);
        assert_eq!(rest_at(&silent, start), Some(5));
    }

    #[test]
    fn a_throttling_providers_pause_has_sensible_bounds() {
        let (hasty, start) = (Breaker::default(), Instant::now());
        for _ in 0..4 {
            hasty.failed_at(&Fault::Throttled(Some(Duration::ZERO)), start);
            assert_eq!(rest_at(&hasty, start), None);
        }
        hasty.failed_at(&Fault::Throttled(Some(Duration::ZERO)), start);
        assert!(rest_at(&hasty, start).is_some());
        let endless = Breaker::default();
        endless.failed_at(&Fault::Throttled(Some(Duration::from_secs(u32::MAX.into()))), start);
        assert_eq!(rest_at(&endless, start), Some(24 * 3600));
    }

    #[test]
    fn the_first_request_after_a_pause_is_a_probe() {
        let (breaker, start) = (Breaker::default(), Instant::now());
        assert_eq!(breaker.check_at(start), Ok(Pass::Free));
        breaker.failed_at(&Fault::Throttled(Some(Duration::from_secs(1))), start);
        assert_eq!(breaker.check_at(start + Duration::from_secs(1)), Ok(Pass::Probe));
    }
}
