//! An exact limit of requests per client in any 60 seconds, such as 60 anonymous API requests.
//!
//! A bucket that refills lets up to twice as many through in one minute, so every admitted request is remembered until it
//! is 60 seconds old. Each shard keeps them in one queue in order of time, and the requests of one client are chained
//! through it: expiry, count and wait each cost a constant, and memory has a hard bound.

mod redis;
mod shared;
mod window;

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::http::{HeaderName, HeaderValue};

use crate::request::address::ClientKey;
use crate::response::error::ApiError;

pub use redis::{Redis, RedisSetupError};
pub use shared::SharedLimiter;

const ANONYMOUS_MAX: u8 = 60;
const SECOND_NS: u64 = 1_000_000_000;
const MINUTE_NS: u64 = 60 * SECOND_NS;
const HOUR_NS: u64 = 60 * MINUTE_NS;
const SHARDS: usize = 32;
/// A million admitted requests a minute in all shards. Beyond that new ones are refused: remembering more would cost memory
/// without bound, and forgetting some would let a client off the count.
const SHARD_REQUESTS_MAX: usize = 32_768;

pub const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
pub const STATE: HeaderName = HeaderName::from_static("ratelimit");

#[derive(Debug)]
pub struct Limiter {
    rule: Rule,
    start: Instant,
    hasher: RandomState,
    shards: [Mutex<Shard>; SHARDS],
}

#[derive(Debug, Clone, Copy)]
struct Rule {
    requests_max: u8,
    window_ns: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    pub allowed: bool,
    pub remaining: u32,
    /// Seconds until one more request is possible. At least 1.
    pub reset_seconds: u64,
}

impl Limiter {
    /// The anonymous limit.
    pub fn new() -> Self {
        Self::of(ANONYMOUS_MAX)
    }

    /// This many requests in any 60 seconds.
    pub fn of(requests_max: u8) -> Self {
        Self::with(Rule { requests_max, window_ns: MINUTE_NS })
    }

    /// This many requests in any hour.
    pub fn hourly(requests_max: u8) -> Self {
        Self::with(Rule { requests_max, window_ns: HOUR_NS })
    }

    fn with(rule: Rule) -> Self {
        Self { rule, start: Instant::now(), hasher: RandomState::new(), shards: std::array::from_fn(|_| Mutex::default()) }
    }

    /// Counts the request if it is admitted. A refused one leaves no trace.
    pub fn check(&self, key: ClientKey, now: Instant) -> Decision {
        let elapsed = now.saturating_duration_since(self.start).as_nanos();
        let shard = self.hasher.hash_one(key) % SHARDS as u64;
        self.shard(shard as usize).check(key, u64::try_from(elapsed).unwrap_or(u64::MAX - HOUR_NS), self.rule)
    }

    /// Bytes held, estimated from capacities.
    pub fn bytes_estimate(&self) -> usize {
        (0..SHARDS).map(|index| self.shard(index).bytes_estimate()).sum()
    }

    fn shard(&self, index: usize) -> MutexGuard<'_, Shard> {
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Limiter {
    fn default() -> Self {
        Self::new()
    }
}

impl Decision {
    /// The fields of draft-ietf-httpapi-ratelimit-headers.
    pub fn headers(&self) -> [(HeaderName, HeaderValue); 2] {
        let state = format!("\"anon\";r={};t={}", self.remaining, self.reset_seconds);
        let state = HeaderValue::try_from(state).unwrap_or(HeaderValue::from_static("\"anon\";r=0"));
        [(POLICY, HeaderValue::from_static("\"anon\";q=60;w=60")), (STATE, state)]
    }

    pub fn refusal(&self) -> ApiError {
        let error = ApiError::rate_limited(self.reset_seconds);
        self.headers().into_iter().fold(error, |error, (name, value)| error.with(name, value))
    }

    fn new(allowed: bool, remaining: u8, wait_ns: u64) -> Self {
        Self { allowed, remaining: remaining.into(), reset_seconds: wait_ns.div_ceil(SECOND_NS).max(1) }
    }
}

/// Serial numbers wrap; a shard never holds so many requests that two have the same.
type Serial = u16;

#[derive(Debug, Default)]
struct Shard {
    /// Oldest first.
    requests: VecDeque<Request>,
    /// Serial number of the request at the front.
    first: Serial,
    clients: HashMap<ClientKey, Chain>,
}

#[derive(Debug)]
struct Request {
    key: ClientKey,
    at_ns: u64,
    /// The same client's next request, if any.
    next: Serial,
}

#[derive(Debug, Clone, Copy)]
struct Chain {
    oldest: Serial,
    newest: Serial,
    count: u8,
}

impl Shard {
    fn check(&mut self, key: ClientKey, now_ns: u64, rule: Rule) -> Decision {
        let Rule { requests_max, window_ns } = rule;
        // Another thread may have read its clock later and come first.
        let now_ns = self.requests.back().map_or(now_ns, |latest| latest.at_ns.max(now_ns));
        self.expire(now_ns, window_ns);
        let chain = self.clients.get(&key).copied();
        let oldest_ns = chain.map_or(now_ns, |chain| self.requests[self.index(chain.oldest)].at_ns);
        let wait_ns = oldest_ns + window_ns - now_ns;
        let count = chain.map_or(0, |chain| chain.count);
        if count >= requests_max {
            return Decision::new(false, 0, wait_ns);
        }
        if let Some(front) = self.requests.front().filter(|_| self.requests.len() >= SHARD_REQUESTS_MAX) {
            return Decision::new(false, 0, front.at_ns + window_ns - now_ns);
        }
        self.admit(key, chain, now_ns);
        Decision::new(true, requests_max - count - 1, wait_ns)
    }

    fn admit(&mut self, key: ClientKey, chain: Option<Chain>, at_ns: u64) {
        let serial = self.first.wrapping_add(self.requests.len() as Serial);
        let extended = match chain {
            None => Chain { oldest: serial, newest: serial, count: 1 },
            Some(chain) => {
                let newest = self.index(chain.newest);
                self.requests[newest].next = serial;
                Chain { newest: serial, count: chain.count + 1, ..chain }
            }
        };
        self.clients.insert(key, extended);
        self.requests.push_back(Request { key, at_ns, next: serial });
    }

    fn expire(&mut self, now_ns: u64, window_ns: u64) {
        while let Some(front) = self.requests.front().filter(|front| now_ns - front.at_ns >= window_ns) {
            if let Some(chain) = self.clients.get_mut(&front.key) {
                chain.oldest = front.next;
                chain.count -= 1;
                if chain.count == 0 {
                    self.clients.remove(&front.key);
                }
            }
            self.requests.pop_front();
            self.first = self.first.wrapping_add(1);
        }
        self.shrink();
    }

    /// Gives memory back after a flood.
    fn shrink(&mut self) {
        if self.requests.capacity() > 1024 && self.requests.len() < self.requests.capacity() / 8 {
            self.requests.shrink_to(self.requests.len() * 2);
            self.clients.shrink_to(self.clients.len() * 2);
        }
    }

    fn index(&self, serial: Serial) -> usize {
        usize::from(serial.wrapping_sub(self.first))
    }

    fn bytes_estimate(&self) -> usize {
        // A hash map keeps one slot in eight free, rounds up to a power of two, and adds a byte to each.
        let slots = if self.clients.capacity() == 0 { 0 } else { (self.clients.capacity() * 8 / 7).next_power_of_two() };
        self.requests.capacity() * size_of::<Request>() + slots * (size_of::<(ClientKey, Chain)>() + 1)
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv6Addr};

    use super::*;

    const ANONYMOUS: Rule = Rule { requests_max: ANONYMOUS_MAX, window_ns: MINUTE_NS };

    fn network(number: u32) -> ClientKey {
        ClientKey::from(IpAddr::from(Ipv6Addr::from_bits(u128::from(number) << 64)))
    }

    #[test]
    fn a_flood_beyond_the_bound_is_refused_until_the_oldest_expires() {
        let mut shard = Shard::default();
        for number in 0..SHARD_REQUESTS_MAX as u32 {
            assert!(shard.check(network(number), SECOND_NS, ANONYMOUS).allowed, "network {number}");
        }
        let bytes = shard.bytes_estimate();
        let refused = shard.check(network(u32::MAX), 11 * SECOND_NS, ANONYMOUS);
        assert_eq!(refused, Decision { allowed: false, remaining: 0, reset_seconds: 50 });
        assert_eq!(shard.bytes_estimate(), bytes);
        assert!(bytes * SHARDS < 64 << 20, "{bytes} bytes in each shard");
        assert!(shard.check(network(u32::MAX), 61 * SECOND_NS, ANONYMOUS).allowed);
    }
}
