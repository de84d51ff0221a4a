//! The sliding window in Redis: the same decisions as `Limiter`, in one round trip, for all nodes together.

use std::sync::{Arc, LazyLock};

use redis::Script;
use sha2::{Digest, Sha256};

use super::redis::Redis;
use super::{Decision, Rule};
use crate::request::address::ClientKey;

const SCRIPT_TEXT: &str = include_str!("window.lua");
static SCRIPT: LazyLock<Script> = LazyLock::new(|| Script::new(SCRIPT_TEXT));

/// `None` when Redis does not answer.
pub(super) async fn check(redis: &Arc<Redis>, name: &str, key: ClientKey, rule: Rule) -> Option<Decision> {
    let key = redis_key(name, key);
    let counted: (bool, u8, u64) = redis
        .ask(|mut connection| async move {
            SCRIPT.key(key).arg(rule.requests_max).arg(rule.window_ns / 1000).invoke_async(&mut connection).await
        })
        .await?;
    let (allowed, remaining, wait_us) = counted;
    Some(Decision::new(allowed, remaining, wait_us.saturating_mul(1000)))
}

/// Hashed, so that Redis contains no addresses.
fn redis_key(name: &str, key: ClientKey) -> String {
    let digest = Sha256::new().chain_update(name).chain_update(key.to_bytes()).finalize();
    let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("dripline:{name}:{hex}")
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::time::Duration;

    use proptest::prelude::*;

    use super::super::Limiter;
    use super::*;

    fn client(number: u8) -> ClientKey {
        ClientKey::from(IpAddr::from([198, 51, 100, number]))
    }

    #[test]
    fn a_redis_key_differs_by_limit_and_client_and_hides_the_address() {
        let keys = [redis_key("anon", client(7)), redis_key("anon", client(8)), redis_key("attempts", client(7))];
        assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
        // 198.51.100.7 is c6336407 in hexadecimal figures.
        assert!(keys.iter().all(|key| !key.contains("198") && !key.contains("c6336407")), "{keys:?}");
        assert_eq!(keys[0].len(), "dripline:anon:".len() + 32);
    }

    /// The script with a clock set by the test, otherwise unchanged.
    fn with_our_clock() -> Script {
        let text = SCRIPT_TEXT.replace("redis.call('TIME')", "{ARGV[3], ARGV[4]}");
        assert_ne!(text, SCRIPT_TEXT);
        Script::new(&text)
    }

    #[test]
    #[ignore = "needs Redis"]
    fn redis_and_a_node_make_the_same_decisions() {
        let server = testkit::Redis::start();
        let client_of_redis = redis::Client::open(server.url()).unwrap();
        let script = with_our_clock();
        // Pauses in microseconds: bursts, the edge of the window, and clocks that step back a little.
        let pause = prop_oneof![
            4 => Just(0_i64),
            4 => 0..100_000_i64,
            2 => 0..20_000_000_i64,
            1 => 59_999_990..60_000_010_i64,
            1 => -1_000..0_i64,
        ];
        let schedules = proptest::collection::vec((pause, 0..2_u8), 1..250);
        let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) };
        proptest!(config, |(schedule in schedules, requests_max in prop_oneof![Just(60_u8), 1..10_u8])| {
            let mut connection = client_of_redis.get_connection().unwrap();
            redis::cmd("FLUSHALL").exec(&mut connection).unwrap();
            // One each: clients that meet in a shard wait for its clock where that of a node steps back.
            let limiters = [0; 2].map(|_| Limiter::of(requests_max));
            let mut now_us = 1_000_000_i64;
            for (pause, number) in schedule {
                now_us = (now_us + pause).max(0);
                let (key, limiter) = (client(number), &limiters[usize::from(number)]);
                let (allowed, remaining, wait_us): (bool, u8, u64) = script
                    .key(redis_key("anon", key))
                    .arg(limiter.rule.requests_max)
                    .arg(limiter.rule.window_ns / 1000)
                    .arg(now_us / 1_000_000)
                    .arg(now_us % 1_000_000)
                    .invoke(&mut connection)
                    .unwrap();
                let own = limiter.check(key, limiter.start + Duration::from_micros(now_us.unsigned_abs()));
                prop_assert_eq!(Decision::new(allowed, remaining, wait_us * 1000), own, "at {} µs", now_us);
            }
        });
    }
}
