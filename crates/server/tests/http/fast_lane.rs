//! The fast lane: stored responses, sent before a request is routed.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::Extensions;
use axum::http::header::ETAG;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serving::{ApiError, Check, Decision, Draining, FrontEnd, Head, Limits, Options, Scope};
use tokio::time::sleep;

use super::client::{Connection, Server, start};
use super::routes;

const AT_ONCE: &[u8] = b"GET /api/v1/ready HTTP/1.1\r\nHost: test\r\n\r\n";
const SOON: &[u8] = b"GET /api/v1/soon HTTP/1.1\r\nHost: test\r\n\r\n";
const ROUTED: &[u8] = b"GET /api/v1/me HTTP/1.1\r\nHost: test\r\n\r\n";
const SCOPE: Scope = Scope::User { id: uuid::Uuid::nil(), version: 1, market: 1, day: jiff::civil::date(2026, 1, 1) };

/// A front end whose only user sends all requests.
struct OneUser;

impl FrontEnd for OneUser {
    fn check(&self, head: &Head<'_>) -> Option<Check> {
        let soon = |scope: Option<Scope>| {
            Some(Check::Pending(Box::pin(async move {
                sleep(Duration::from_millis(100)).await;
                (scope, Extensions::new())
            })))
        };
        match head.target {
            "/api/v1/ready" => Some(Check::Done(SCOPE)),
            "/api/v1/soon" => soon(Some(SCOPE)),
            "/api/v1/me?not-so-soon" => soon(None),
            "/api/v1/patience?spent" => Some(Check::Pending(Box::pin(async {
                app::wait_for_another(sleep(Duration::from_millis(1300))).await;
                (None, Extensions::new())
            }))),
            _ => None,
        }
    }

    fn count(&self, _: &Head<'_>, _: IpAddr) -> Option<Decision> {
        None
    }
}

/// Two paths whose first response has this many bytes and is stored. Then they are not found, which shows that the router answered.
pub fn router(bytes: usize) -> Router {
    let once = move || {
        let asked = Arc::new(AtomicUsize::new(0));
        get(move |_: Request| async move {
            match asked.fetch_add(1, Ordering::Relaxed) {
                0 => {
                    let response = Response::builder().header(ETAG, "W/\"one\"").header("x-kind", "stored").extension(SCOPE);
                    response.body(Body::from(vec![b'a'; bytes])).unwrap()
                }
                _ => ApiError::not_found("It was answered before.").into_response(),
            }
        })
    };
    let patience = || async { if app::is_wait_budget_spent() { "spent" } else { "there" } };
    routes::router().route("/api/v1/ready", once()).route("/api/v1/soon", once()).route("/api/v1/patience", get(patience))
}

pub fn options() -> Options {
    Options { front_end: Some(Arc::new(OneUser)), cached_bytes_max: 1 << 30, ..Options::default() }
}

/// With stored responses of this many bytes.
async fn start_with(bytes: usize, limits: Limits, options: Options) -> Server {
    let server = start(router(bytes), options, limits).await;
    for request in [AT_ONCE, SOON] {
        assert_eq!(server.send(request).await.body.len(), bytes);
    }
    server
}

async fn connected(server: &Server) -> Connection {
    Connection::open(server.address).await
}

#[tokio::test]
async fn cached_responses_have_all_headers_and_a_date() {
    let server = start_with(5, Limits::default(), options()).await;
    let whole = server.send(AT_ONCE).await;
    assert_eq!((whole.status, whole.text(), whole.header("x-kind")), (200, "aaaaa", Some("stored")));
    assert!(whole.header("date").is_some_and(|date| date.ends_with(" GMT")));
    let known = server.get_with("/api/v1/ready", "If-None-Match: \"zero\", \"one\"\r\n").await;
    assert_eq!((known.status, known.header("content-length"), known.etag()), (304, None, "W/\"one\""));
    let unknown = server.get_with("/api/v1/ready", "If-None-Match: \"zero\"\r\n").await;
    assert_eq!((unknown.status, unknown.text()), (200, "aaaaa"));
    // A 404 shows that the router answered.
    server.get_with("/api/v1/ready", "Connection: close\r\n").await.is_error(404, "not_found");
    assert_eq!(server.ask("HEAD", "/api/v1/ready", "").await.status, 404);
}

#[tokio::test]
async fn a_cached_response_waits_for_the_request_before_it() {
    let server = start_with(5, Limits::default(), options()).await;
    let mut connection = connected(&server).await;
    connection.write(b"GET /api/v1/slow?300 HTTP/1.1\r\nHost: test\r\n\r\n").await;
    sleep(Duration::from_millis(50)).await;
    connection.write(AT_ONCE).await;
    let first = connection.read(false).await.unwrap();
    assert_eq!((first.status, first.header("x-kind")), (200, None), "{}", first.text());
    // It arrived while another request was running, so both ways are valid.
    assert!(connection.read(false).await.is_some());
    for _ in 0..20 {
        connection.write(AT_ONCE).await;
        assert_eq!(connection.read(false).await.unwrap().header("x-kind"), Some("stored"));
        connection.write(ROUTED).await;
        assert_eq!(connection.read(false).await.unwrap().is_ok().text(), r#"{"id":1}"#);
    }
}

#[tokio::test]
async fn requests_split_or_joined_in_packets_are_answered_in_order() {
    let server = start_with(5, Limits::default(), options()).await;
    let mut connection = connected(&server).await;
    connection.write(&[ROUTED, AT_ONCE, ROUTED].concat()).await;
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(connection.read(false).await.unwrap().status);
    }
    assert_eq!(statuses, [200, 404, 200], "whatever comes together is routed");
    let (head, tail) = AT_ONCE.split_at(20);
    connection.write(head).await;
    sleep(Duration::from_millis(50)).await;
    connection.write(tail).await;
    assert_eq!(connection.read(false).await.unwrap().status, 404, "and so is what comes in pieces");
    connection.write(AT_ONCE).await;
    assert_eq!(connection.read(false).await.unwrap().status, 200);
}

#[tokio::test]
async fn a_slow_reader_gets_the_whole_cached_response_and_the_next() {
    const BYTES: usize = 32 << 20;
    let server = start_with(BYTES, Limits::default(), options()).await;
    let mut connection = connected(&server).await;
    connection.write(AT_ONCE).await;
    sleep(Duration::from_millis(200)).await;
    connection.write(ROUTED).await;
    sleep(Duration::from_millis(200)).await;
    let huge = connection.read(false).await.unwrap();
    assert!(huge.body.len() == BYTES && huge.body.iter().all(|byte| *byte == b'a'));
    assert_eq!(connection.read(false).await.unwrap().is_ok().text(), r#"{"id":1}"#);
}

#[tokio::test]
async fn a_pending_response_is_sent_when_ready_or_routed() {
    let server = start_with(5, Limits::default(), options()).await;
    let mut connection = connected(&server).await;
    for _ in 0..3 {
        connection.write(SOON).await;
        sleep(Duration::from_millis(20)).await;
        connection.write(ROUTED).await;
        assert_eq!(connection.read(false).await.unwrap().header("x-kind"), Some("stored"));
        assert_eq!(connection.read(false).await.unwrap().is_ok().text(), r#"{"id":1}"#);
        connection.write(b"GET /api/v1/me?not-so-soon HTTP/1.1\r\nHost: test\r\n\r\n").await;
        sleep(Duration::from_millis(20)).await;
        connection.write(AT_ONCE).await;
        assert_eq!(connection.read(false).await.unwrap().is_ok().text(), r#"{"id":1}"#);
        assert!(connection.read(false).await.is_some());
    }
}

#[tokio::test]
async fn waiting_before_routing_counts_against_the_wait_budget() {
    let server = start_with(5, Limits::default(), options()).await;
    let mut connection = connected(&server).await;
    for _ in 0..2 {
        for (request, word) in [("spent", "spent"), ("", "there")] {
            connection.write(format!("GET /api/v1/patience?{request} HTTP/1.1\r\nHost: test\r\n\r\n").as_bytes()).await;
            assert_eq!(connection.read(false).await.unwrap().text(), word);
        }
    }
}

#[tokio::test]
async fn at_the_concurrency_limit_only_cached_responses_are_served() {
    let server = start_with(5, Limits::default(), Options { concurrency_max: 1, ..options() }).await;
    let mut busy = connected(&server).await;
    busy.write(b"GET /api/v1/slow?1000 HTTP/1.1\r\nHost: test\r\n\r\n").await;
    sleep(Duration::from_millis(200)).await;
    for target in ["/api/v1/soon", "/api/v1/patience", "/api/v1/me"] {
        server.get(target).await.is_error(503, "unavailable");
    }
    assert_eq!(server.send(AT_ONCE).await.header("x-kind"), Some("stored"));
    busy.read(false).await.unwrap();
    assert_eq!(server.get("/api/v1/soon").await.header("x-kind"), Some("stored"));
}

#[tokio::test]
async fn a_shutdown_waits_for_a_pending_response() {
    let server = start_with(5, Limits::default(), options()).await;
    let mut connection = connected(&server).await;
    connection.write(SOON).await;
    sleep(Duration::from_millis(30)).await;
    server.stop.send(()).unwrap();
    assert_eq!(connection.read(false).await.unwrap().header("x-kind"), Some("stored"));
}

#[tokio::test]
async fn a_client_that_reads_nothing_of_a_cached_response_is_cut_off() {
    let limits = Limits { stall: Duration::from_millis(300), ..Limits::default() };
    let server = start_with(32 << 20, limits, options()).await;
    let mut connection = connected(&server).await;
    connection.write(AT_ONCE).await;
    sleep(Duration::from_millis(1500)).await;
    assert!(connection.read(false).await.is_none(), "all of it came");
}

#[tokio::test]
async fn a_connection_with_cached_responses_is_not_idle() {
    let limits = Limits { head: Duration::from_millis(500), idle: Duration::from_millis(1500), ..Limits::default() };
    let server = start_with(5, limits, options()).await;
    let mut connection = connected(&server).await;
    for _ in 0..5 {
        connection.write(AT_ONCE).await;
        assert_eq!(connection.read(false).await.unwrap().status, 200);
        sleep(Duration::from_millis(700)).await;
    }
    assert!(connection.ends_within(Duration::from_millis(4000)).await, "and ends when it is");
}

#[tokio::test]
async fn a_draining_server_closes_connections_after_a_cached_response() {
    let draining = Draining::default();
    let server = start_with(5, Limits::default(), Options { draining: draining.clone(), ..options() }).await;
    let mut connection = connected(&server).await;
    connection.write(AT_ONCE).await;
    assert_eq!(connection.read(false).await.unwrap().header("connection"), None);
    draining.begin();
    connection.write(AT_ONCE).await;
    assert_eq!(connection.read(false).await.unwrap().header("connection"), Some("close"));
}

#[tokio::test]
async fn a_shutdown_finishes_sending_a_cached_response() {
    let server = start_with(16 << 20, Limits::default(), options()).await;
    let mut connection = connected(&server).await;
    connection.write(AT_ONCE).await;
    sleep(Duration::from_millis(100)).await;
    server.stop.send(()).unwrap();
    sleep(Duration::from_millis(100)).await;
    assert_eq!(connection.read(false).await.unwrap().body.len(), 16 << 20);
}
