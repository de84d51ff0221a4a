use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::{Duration, Instant};

use serving::error::Code;
use serving::{ClientKey, Decision, Limiter};

fn client(number: u32) -> ClientKey {
    ClientKey::from(IpAddr::from(Ipv4Addr::from_bits(number)))
}

fn network(number: u32) -> ClientKey {
    ClientKey::from(IpAddr::from(Ipv6Addr::from_bits(u128::from(number) << 64)))
}

/// A limiter, and the time at which a test starts.
struct Timed {
    limiter: Limiter,
    start: Instant,
}

impl From<Limiter> for Timed {
    fn from(limiter: Limiter) -> Timed {
        Timed { limiter, start: Instant::now() }
    }
}

impl Timed {
    fn new() -> Timed {
        Limiter::new().into()
    }

    fn check(&self, key: ClientKey, now: Instant) -> Decision {
        self.limiter.check(key, now)
    }
}

/// The decision for client 1 this many milliseconds after the start.
fn at(timed: &Timed, milliseconds: u64) -> Decision {
    timed.check(client(1), timed.start + Duration::from_millis(milliseconds))
}

#[test]
fn the_sixty_first_request_is_refused_with_the_exact_wait() {
    let limiter = Timed::new();
    for sent in 0..60 {
        // The first came at 0, so one more is possible 60 s after it: at 59 ms that is in 59.941 s, rounded up.
        assert_eq!(at(&limiter, sent), Decision { allowed: true, remaining: 59 - sent as u32, reset_seconds: 60 });
    }
    assert_eq!(at(&limiter, 17_500), Decision { allowed: false, remaining: 0, reset_seconds: 43 });
    assert!(!at(&limiter, 17_500 + 42_000).allowed, "one second early");
    assert!(at(&limiter, 17_500 + 43_000).allowed, "when told");
}

#[test]
fn the_sixtieth_second_itself_is_free_and_the_moment_before_is_not() {
    let limiter = Timed::new();
    for _ in 0..60 {
        assert!(at(&limiter, 0).allowed);
    }
    assert!(!limiter.check(client(1), limiter.start + Duration::from_secs(60) - Duration::from_nanos(1)).allowed);
    assert!(at(&limiter, 60_000).allowed);
}

#[test]
fn refused_requests_do_not_extend_the_wait() {
    let limiter = Timed::new();
    for _ in 0..60 {
        at(&limiter, 0);
    }
    for second in 0..60 {
        assert!(!at(&limiter, second * 1000).allowed);
    }
    for _ in 0..60 {
        assert!(at(&limiter, 60_000).allowed);
    }
    assert!(!at(&limiter, 60_000).allowed);
}

#[test]
fn no_window_of_sixty_seconds_ever_holds_more_than_sixty() {
    // One client tries every 0.37 s for 10 minutes, with two others.
    let limiter = Timed::new();
    let mut passed = Vec::new();
    for step in 0..1_621_u64 {
        let now = step * 370;
        limiter.check(client(2), limiter.start + Duration::from_millis(now));
        limiter.check(client(3), limiter.start + Duration::from_millis(now));
        if at(&limiter, now).allowed {
            passed.push(now);
        }
    }
    assert!(passed.windows(61).all(|window| window[60] - window[0] >= 60_000));
    // 60 pass in each round, and a round starts with the first try 60 s after the last one's start: every 60.31 s
    // (163 steps). Ten rounds start within the 599.4 s, the last at 542.79 s.
    assert_eq!(passed.len(), 600);
}

#[test]
fn an_hour_may_be_the_window() {
    let limiter = Timed::from(Limiter::hourly(10));
    assert!((0..10).all(|_| at(&limiter, 0).allowed));
    assert_eq!(at(&limiter, 60_000), Decision { allowed: false, remaining: 0, reset_seconds: 3_540 });
    assert!(at(&limiter, 3_600_000).allowed);
}

#[test]
fn clients_do_not_share_their_count() {
    let limiter = Timed::new();
    for _ in 0..61 {
        at(&limiter, 0);
    }
    assert_eq!(limiter.check(client(2), limiter.start).remaining, 59);
}

#[test]
fn an_earlier_clock_reading_used_later_is_accepted() {
    let limiter = Timed::new();
    at(&limiter, 61_000);
    assert_eq!(at(&limiter, 0), Decision { allowed: true, remaining: 58, reset_seconds: 60 });
}

#[test]
fn a_million_networks_stay_under_64_mib_and_the_memory_comes_back() {
    let limiter = Timed::new();
    for number in 0..1_000_000 {
        assert!(limiter.check(network(number), limiter.start).allowed, "network {number}");
    }
    assert!(limiter.limiter.bytes_estimate() < 64 << 20, "{} bytes", limiter.limiter.bytes_estimate());
    for number in 0..1_000 {
        limiter.check(network(number), limiter.start + Duration::from_secs(60));
    }
    assert!(limiter.limiter.bytes_estimate() < 1 << 20, "{} bytes", limiter.limiter.bytes_estimate());
}

#[test]
fn serial_numbers_may_wrap() {
    let limiter = Timed::new();
    // 70,000 requests of one client a second apart: more than there are serial numbers.
    for second in 0..70_000 {
        assert!(at(&limiter, second * 1000).allowed, "second {second}");
    }
    assert_eq!(at(&limiter, 70_000_000).remaining, 0);
}

#[test]
fn the_headers_are_structured_fields() {
    let decision = Decision { allowed: false, remaining: 0, reset_seconds: 17 };
    let error = decision.refusal();
    let header =
        |name: &str| error.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.to_str().unwrap().to_owned());
    assert_eq!(header("ratelimit-policy").as_deref(), Some("\"anon\";q=60;w=60"));
    assert_eq!(header("ratelimit").as_deref(), Some("\"anon\";r=0;t=17"));
    assert_eq!(header("retry-after").as_deref(), Some("17"));
    assert_eq!((error.status.as_u16(), error.code), (429, Code::RateLimited));
}
