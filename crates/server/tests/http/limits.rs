use serving::{Limits, Options};

use super::client::{Server, start};
use super::routes;

const CALENDAR: &str = "/api/v1/calendar";

async fn start_limited(behind_proxy: bool) -> Server {
    start(routes::limited(behind_proxy), Options::default(), Limits::default()).await
}

#[tokio::test]
async fn sixty_requests_pass_and_the_sixty_first_is_refused_with_its_wait() {
    let server = start_limited(false).await;
    for sent in 1..=60 {
        let answer = server.get(CALENDAR).await;
        assert_eq!(answer.is_ok().header("ratelimit-policy"), Some("\"anon\";q=60;w=60"));
        let state = answer.header("ratelimit").unwrap();
        assert!(state.starts_with(&format!("\"anon\";r={};t=", 60 - sent)), "{state}");
    }
    let answer = server.get(CALENDAR).await;
    let wait: u64 = answer.is_error(429, "rate_limited").header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(answer.header("ratelimit"), Some(format!("\"anon\";r=0;t={wait}").as_str()));
    assert_eq!(answer.header("ratelimit-policy"), Some("\"anon\";q=60;w=60"));
    assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
}

#[tokio::test]
async fn head_and_304_count_and_a_304_keeps_the_state_of_the_limit() {
    let server = start_limited(false).await;
    let known = format!("If-None-Match: {}\r\n", server.get(CALENDAR).await.etag());
    let answer = server.get_with(CALENDAR, &known).await;
    assert_eq!(answer.status, 304);
    assert!(answer.header("ratelimit").unwrap().starts_with("\"anon\";r=58;"));
    assert_eq!(answer.header("ratelimit-policy"), Some("\"anon\";q=60;w=60"));
    let head = server.ask("HEAD", CALENDAR, "").await;
    assert!(head.header("ratelimit").unwrap().starts_with("\"anon\";r=57;"));
    for _ in 0..57 {
        server.get(CALENDAR).await.is_ok();
    }
    assert_eq!(server.ask("HEAD", CALENDAR, &known).await.status, 429);
    assert_eq!(server.get_with(CALENDAR, &known).await.status, 429);
}

#[tokio::test]
async fn other_methods_and_preflights_do_not_count() {
    let server = start_limited(false).await;
    for method in ["OPTIONS", "POST"] {
        for _ in 0..61 {
            assert_ne!(server.ask(method, CALENDAR, "").await.status, 429);
        }
    }
    assert!(server.get(CALENDAR).await.header("ratelimit").unwrap().starts_with("\"anon\";r=59;"));
}

#[tokio::test]
async fn a_forwarded_header_from_a_stranger_is_ignored() {
    let server = start_limited(false).await;
    for sent in 0..61 {
        let answer = server.get_with(CALENDAR, &format!("X-Forwarded-For: 198.51.100.{sent}\r\n")).await;
        assert_eq!(answer.status, if sent < 60 { 200 } else { 429 });
    }
}

#[tokio::test]
async fn behind_a_trusted_proxy_each_client_and_each_ipv6_network_has_its_own_count() {
    let server = start_limited(true).await;
    for sent in 0..61 {
        let answer = server.get_with(CALENDAR, &format!("X-Forwarded-For: 1.1.1.{sent}, 2001:db8:0:1::{sent:x}\r\n")).await;
        assert_eq!(answer.status, if sent < 60 { 200 } else { 429 });
    }
    server.get_with(CALENDAR, "X-Forwarded-For: 2001:db8:0:2::1\r\n").await.is_ok();
    server.get_with(CALENDAR, "Forwarded: for=\"[2001:db8:0:3::1]:5000\"\r\n").await.is_ok();
    assert_eq!(server.get_with(CALENDAR, "Forwarded: for=\"[2001:db8:0:1::ff]\"\r\n").await.status, 429);
    server.get_with(CALENDAR, "X-Forwarded-For: 2001:db8:0:1::1, nonsense\r\n").await.is_ok();
}
