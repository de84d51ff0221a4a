//! A timer that is created when first needed: most connections never wait.

use std::pin::Pin;
use std::task::Context;
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep_until};

#[derive(Debug, Default)]
pub struct Deadline {
    sleep: Option<Pin<Box<Sleep>>>,
    armed: bool,
}

impl Deadline {
    pub fn arm(&mut self, after: Duration) {
        let at = Instant::now() + after;
        match &mut self.sleep {
            Some(sleep) => sleep.as_mut().reset(at),
            None => self.sleep = Some(Box::pin(sleep_until(at))),
        }
        self.armed = true;
    }

    pub fn disarm(&mut self) {
        self.armed = false;
    }

    pub fn is_armed(&self) -> bool {
        self.armed
    }

    /// Wakes the task at the deadline, unless it has passed.
    pub fn has_passed(&mut self, context: &mut Context<'_>) -> bool {
        self.armed && self.sleep.as_mut().is_some_and(|sleep| sleep.as_mut().poll(context).is_ready())
    }
}
