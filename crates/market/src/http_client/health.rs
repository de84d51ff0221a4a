//! The health of a provider.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;

use super::Budget;
use crate::fault::Fault;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    pub name: &'static str,
    pub budget: Budget,
    pub day: Date,
    /// Requests today, including those of other processes as far as known.
    pub used_today: u32,
    /// Requests of this process since it started.
    pub used: u64,
    pub failures: u64,
    pub ok_at: Option<Timestamp>,
    pub failed_at: Option<Timestamp>,
    pub last_error: Option<Fault>,
    /// How long it is still paused.
    pub rests_for: Option<Duration>,
}

pub(super) struct Record {
    name: &'static str,
    budget: Budget,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    used: u64,
    failures: u64,
    ok_at: Option<Timestamp>,
    failed_at: Option<Timestamp>,
    last_error: Option<Fault>,
}

impl Record {
    pub fn new(name: &'static str, budget: Budget) -> Record {
        Record { name, budget, state: Mutex::default() }
    }

    pub fn used(&self) {
        self.lock().used += 1;
    }

    pub fn succeeded(&self) {
        self.lock().ok_at = Some(Timestamp::now());
    }

    pub fn failed(&self, fault: &Fault) {
        let mut state = self.lock();
        state.failures += 1;
        state.failed_at = Some(Timestamp::now());
        state.last_error = Some(fault.clone());
    }

    pub fn health(&self, (day, used_today): (Date, u32), rests_for: Option<Duration>) -> Health {
        let state = self.lock();
        Health {
            name: self.name,
            budget: self.budget,
            day,
            used_today,
            used: state.used,
            failures: state.failures,
            ok_at: state.ok_at,
            failed_at: state.failed_at,
            last_error: state.last_error.clone(),
            rests_for,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
