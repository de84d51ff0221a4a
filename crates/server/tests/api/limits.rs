use testkit::sample::World;
use testkit::{Answer, NOW, Service};

use super::contract::{ask, get};
use super::tokens::{LIMITED, PRIVATE};

const CALENDAR: &str = "/api/v1/calendar";

fn forwarded(service: &Service, header: &str, value: &str) -> u16 {
    ask(service, "GET", CALENDAR, None, &[(header, value)]).status
}

fn use_up(service: &Service) {
    for _ in 0..60 {
        assert_eq!(get(service, CALENDAR, None).status, 200);
    }
}

fn remaining(answer: &Answer) -> u32 {
    let state = answer.header("ratelimit").strip_prefix("\"anon\";r=").unwrap();
    state.split(';').next().unwrap().parse().unwrap()
}

#[test]
fn sixty_anonymous_requests_pass_and_the_next_is_refused_with_its_wait() {
    let service = Service::start();
    for sent in 1..=60 {
        let answer = get(&service, CALENDAR, None);
        assert_eq!((answer.status, remaining(&answer)), (200, 60 - sent));
        assert_eq!(answer.header("ratelimit-policy"), "\"anon\";q=60;w=60");
    }
    let refused = get(&service, CALENDAR, None);
    assert_eq!((refused.status, refused.error_code().as_str()), (429, "rate_limited"));
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(refused.header("ratelimit"), format!("\"anon\";r=0;t={wait}"));
    assert_eq!(refused.header("ratelimit-policy"), "\"anon\";q=60;w=60");
    assert_eq!(refused.header("cache-control"), "no-store");
}

#[test]
fn the_three_public_endpoints_share_one_count_and_every_kind_of_answer_but_a_429_counts() {
    let world = World::start();
    let tag = get(&world, CALENDAR, None).header("etag").to_owned();
    let not_modified = ask(&world, "GET", CALENDAR, None, &[("If-None-Match", &tag)]);
    assert_eq!((not_modified.status, remaining(&not_modified)), (304, 58));
    let head = ask(&world, "HEAD", CALENDAR, None, &[]);
    assert_eq!((head.status, remaining(&head)), (200, 57));
    for (path, status, left) in [
        ("/api/v1/stocks?q=qtr", 200, 56),
        ("/api/v1/stocks", 422, 55),
        ("/api/v1/stocks/QTR", 200, 54),
        ("/api/v1/stocks/NOPE", 404, 53),
        ("/api/v1/calendar?days=x", 422, 52),
    ] {
        let answer = get(&world, path, None);
        assert_eq!((answer.status, remaining(&answer)), (status, left), "{path}");
    }
    for method in ["OPTIONS", "POST"] {
        ask(&world, method, CALENDAR, None, &[]);
    }
    for left in (0..52).rev() {
        assert_eq!(remaining(&get(&world, CALENDAR, None)), left);
    }
    for path in LIMITED {
        assert_eq!(get(&world, path, None).status, 429, "{path}");
    }
    assert_eq!(ask(&world, "GET", CALENDAR, None, &[("If-None-Match", &tag)]).status, 429);
    assert_eq!(ask(&world, "HEAD", CALENDAR, None, &[]).status, 429);
}

#[test]
fn private_endpoints_and_the_document_never_answer_429() {
    let world = World::start();
    for path in PRIVATE {
        for _ in 0..11 {
            assert_eq!(get(&world, path, None).status, 401, "{path}");
        }
    }
    use_up(&world);
    for _ in 0..61 {
        let document = get(&world, "/api/v1/openapi.json", None);
        assert!(document.status == 200 && !document.headers.contains_key("ratelimit"));
    }
    assert_eq!(get(&world, CALENDAR, None).status, 429);
    for path in PRIVATE {
        assert_eq!(get(&world, path, None).status, 401, "{path}");
        assert_eq!(get(&world, path, Some(&world.ana)).status, 200, "{path}");
    }
}

#[test]
fn a_token_is_never_limited_and_never_counted() {
    let world = World::start();
    for number in 0..200 {
        let answer = get(&world, LIMITED[number % 3], Some(&world.ana));
        assert_eq!(answer.status, 200);
        assert!(!answer.headers.contains_key("ratelimit") && !answer.headers.contains_key("ratelimit-policy"));
    }
    assert_eq!(remaining(&get(&world, CALENDAR, None)), 59);
    for _ in 0..59 {
        get(&world, CALENDAR, None);
    }
    assert_eq!(get(&world, CALENDAR, None).status, 429);
    assert_eq!(get(&world, CALENDAR, Some(&world.ana)).status, 200);
}

#[test]
fn a_junk_token_does_not_lift_the_limit() {
    let service = Service::start();
    for sent in 0..61 {
        let answer = get(&service, CALENDAR, Some(&format!("junk{sent}")));
        assert_eq!(answer.status, if sent < 60 { 200 } else { 429 });
    }
}

#[test]
fn a_forwarded_header_from_a_stranger_is_ignored() {
    let service = Service::start();
    for sent in 0..61 {
        let header = if sent % 2 == 0 { "X-Forwarded-For" } else { "Forwarded" };
        let value = if sent % 2 == 0 { format!("198.51.100.{sent}") } else { format!("for=198.51.100.{sent}") };
        assert_eq!(forwarded(&service, header, &value), if sent < 60 { 200 } else { 429 });
    }
}

#[test]
fn behind_a_trusted_proxy_the_rightmost_untrusted_hop_is_counted() {
    let service = Service::start_at(NOW, "127.0.0.1/32,10.0.0.0/8");
    for sent in 0..61 {
        // Anything left of the client's own address was written by the client; right of it is a trusted hop.
        let hops = format!("203.0.113.{sent}, 198.51.100.7, 10.1.2.{sent}");
        assert_eq!(forwarded(&service, "X-Forwarded-For", &hops), if sent < 60 { 200 } else { 429 });
    }
    assert_eq!(forwarded(&service, "Forwarded", "for=198.51.100.7"), 429);
    assert_eq!(forwarded(&service, "X-Forwarded-For", "::ffff:198.51.100.7"), 429, "IPv4 in IPv6's clothes");
    assert_eq!(forwarded(&service, "X-Forwarded-For", "198.51.100.8"), 200);
    let two_lines = [("X-Forwarded-For", "198.51.100.8"), ("X-Forwarded-For", "198.51.100.7, 10.0.0.1")];
    assert_eq!(ask(&service, "GET", CALENDAR, None, &two_lines).status, 429, "all lines are one list");
    assert_eq!(get(&service, CALENDAR, None).status, 200, "the proxy itself");
}

#[test]
fn an_invalid_hop_counts_as_the_proxy() {
    let service = Service::start_at(NOW, "127.0.0.1/32");
    let hops = ["unknown", "_hidden", "", "300.1.1.1", "198.51.100.7, junk"];
    for sent in 0..60 {
        assert_eq!(forwarded(&service, "X-Forwarded-For", hops[sent % hops.len()]), 200);
    }
    assert_eq!(get(&service, CALENDAR, None).status, 429);
    assert_eq!(forwarded(&service, "X-Forwarded-For", "198.51.100.7"), 200);
}

#[test]
fn ipv6_is_counted_by_its_network() {
    let service = Service::start_at(NOW, "127.0.0.1/32");
    for sent in 0..61 {
        let address = format!("2001:db8:0:1:{sent:x}::{sent:x}");
        assert_eq!(forwarded(&service, "X-Forwarded-For", &address), if sent < 60 { 200 } else { 429 });
    }
    assert_eq!(forwarded(&service, "Forwarded", "for=\"[2001:db8:0:1::ffff]:443\""), 429);
    assert_eq!(forwarded(&service, "X-Forwarded-For", "2001:db8:0:2::1"), 200);
}
