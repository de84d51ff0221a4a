//! A rate limit shared by all nodes in Redis, or of this node alone if there is no Redis or it does not answer.

use std::sync::Arc;
use std::time::Instant;

use super::redis::Redis;
use super::{Decision, Limiter, window};
use crate::request::address::ClientKey;

#[derive(Debug)]
pub struct SharedLimiter {
    /// Separates the counts of different limits in Redis.
    name: &'static str,
    local: Limiter,
    redis: Option<Arc<Redis>>,
}

impl SharedLimiter {
    pub fn new(name: &'static str, local: Limiter, redis: Option<Arc<Redis>>) -> Self {
        Self { name, local, redis }
    }

    /// Counts the request if it is admitted. A refused one leaves no trace.
    pub async fn check(&self, key: ClientKey) -> Decision {
        let Some(redis) = &self.redis else { return self.local.check(key, Instant::now()) };
        match window::check(redis, self.name, key, self.local.rule).await {
            Some(decision) => {
                if decision.allowed {
                    // Also counted here, so that the window does not restart when Redis fails.
                    self.local.check(key, Instant::now());
                }
                decision
            }
            None => {
                redis.fell_back();
                self.local.check(key, Instant::now())
            }
        }
    }

    /// The same without waiting; none if it would have to wait.
    pub fn check_at_once(&self, key: ClientKey) -> Option<Decision> {
        self.redis.is_none().then(|| self.local.check(key, Instant::now()))
    }
}
