use std::time::Duration;

use serving::{Limits, Options};

use super::client::{Connection, start, start_plain};
use super::routes;

const METHODS: &str = "GET, HEAD, OPTIONS";

#[tokio::test]
async fn unknown_paths_are_not_found_for_every_method() {
    let server = start_plain().await;
    let paths = [
        "/",
        "/api",
        "/api/v1",
        "/api/v1/",
        "/api/v1/nothing",
        "//api/v1/me",
        "/api/v1/me/",
        "/API/V1/me",
        "/api/v1/../v1/me",
        "/api/v1/%2e%2e/me",
        "/api/v1/m%65",
        "/api/v1/stocks/a%2Fb",
        "/api/v1/stocks/a/b",
        "/api/v1/stocks/%FF",
        "/api/v1/stocks/%00",
        "/api/v1/stocks/%zz",
        "/api/v1/stocks/%20",
        "/api/v1/stocks/",
        "/api/v1/stocks/%0d%0aX:1",
        "/%",
    ];
    for path in paths {
        let answer = server.get(path).await;
        answer.is_error(404, "not_found");
        assert_eq!(answer.header("location"), None);
    }
    for method in ["POST", "PUT", "PATCH", "DELETE", "TRACE", "FOO", "OPTIONS"] {
        server.ask(method, "/api/v1/nothing", "").await.is_error(404, "not_found");
    }
    assert_eq!(server.ask("HEAD", "/api/v1/nothing", "").await.status, 404);
    server.ask("OPTIONS", "*", "").await.is_error(404, "not_found");
}

#[tokio::test]
async fn other_methods_on_a_path_are_refused_with_the_ones_it_takes() {
    let server = start_plain().await;
    for method in ["POST", "PUT", "PATCH", "DELETE", "TRACE", "FOO", "get", "Get", "PROPFIND"] {
        let answer = server.ask(method, "/api/v1/me", "").await;
        assert_eq!(answer.is_error(405, "bad_request").header("allow"), Some(METHODS), "{method}");
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
    }
    let posted = server.send("POST /api/v1/me HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nhello").await;
    posted.is_error(405, "bad_request");
    assert_eq!(server.ask("PUT", "/api/v1/echo", "").await.header("allow"), Some("POST, OPTIONS"));
    assert!([400, 404, 405].contains(&server.send("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n").await.status));
}

#[tokio::test]
async fn options_answers_a_preflight() {
    let server = start_plain().await;
    let asked =
        "Origin: https://a.example\r\nAccess-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: authorization\r\n";
    for path in ["/api/v1/me", "/api/v1/stocks/KO"] {
        let answer = server.ask("OPTIONS", path, asked).await;
        assert_eq!((answer.status, answer.body.len()), (204, 0));
        assert_eq!(answer.header("allow"), Some(METHODS));
        assert_eq!(answer.header("access-control-allow-methods"), Some(METHODS));
        assert_eq!(answer.header("access-control-allow-headers"), Some("Authorization, If-None-Match"));
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"));
        assert_eq!(answer.header("access-control-max-age"), Some("86400"));
        assert_eq!(answer.header("access-control-allow-credentials"), None);
        assert_eq!(answer.header("content-length"), None);
        answer.etag();
    }
}

#[tokio::test]
async fn the_api_is_open_to_every_origin_and_nothing_else_is() {
    let server = start_plain().await;
    for target in ["/api/v1/me", "/api/v1/nothing", "/api/v1/days?days=x", "/api/v1/panic"] {
        let answer = server.get_with(target, "Origin: https://a.example\r\n").await;
        assert_eq!(answer.header("access-control-allow-origin"), Some("*"), "{target}");
        assert_eq!(answer.header("access-control-expose-headers"), Some("ETag, Retry-After, RateLimit, RateLimit-Policy"));
        assert_eq!(answer.header("access-control-allow-credentials"), None);
    }
    for target in ["/health", "/nothing", "/api/v1x"] {
        assert_eq!(server.get(target).await.header("access-control-allow-origin"), None, "{target}");
    }
}

#[tokio::test]
async fn every_answer_has_the_headers_against_sniffing_framing_and_plain_http() {
    let server = start_plain().await;
    for target in ["/api/v1/me", "/api/v1/nothing", "/api/v1/days?days=x", "/api/v1/panic", "/api/v1/echo", "/health"] {
        let answer = server.get(target).await;
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{target}");
        assert_eq!(answer.header("strict-transport-security"), Some("max-age=31536000; includeSubDomains"), "{target}");
        assert_eq!(answer.header("content-security-policy"), Some("default-src 'none'; frame-ancestors 'none'"), "{target}");
    }
}

#[tokio::test]
async fn a_panic_is_answered_and_costs_only_its_request() {
    let server = start_plain().await;
    let mut connection = Connection::open(server.address).await;
    let mut ids = std::collections::BTreeSet::new();
    for _ in 0..3 {
        connection.write(b"GET /api/v1/panic HTTP/1.1\r\nHost: test\r\n\r\n").await;
        let answer = connection.read(false).await.unwrap();
        assert!(!answer.is_error(500, "internal").text().contains("secret"));
        ids.insert(answer.header("x-request-id").unwrap().to_owned());
    }
    assert_eq!(ids.len(), 3, "each has a name of its own, which the log has, too");
    connection.write(b"GET /api/v1/me HTTP/1.1\r\nHost: test\r\n\r\n").await;
    connection.read(false).await.unwrap().is_ok();
}

#[tokio::test]
async fn an_answer_that_takes_too_long_is_given_up() {
    let options = Options { time_limit: Duration::from_millis(100), ..Options::default() };
    let server = start(routes::router(), options, Limits::default()).await;
    let answer = server.get("/api/v1/slow").await;
    assert_eq!(answer.is_error(503, "unavailable").header("retry-after"), Some("1"));
    server.get("/api/v1/slow?1").await.is_ok();
}

#[tokio::test]
async fn requests_over_the_concurrency_limit_are_refused_except_the_health_check() {
    let options = Options { concurrency_max: 2, always_served: vec!["/health".into()], ..Options::default() };
    let server = start(routes::router(), options, Limits::default()).await;
    let mut busy = Vec::new();
    for _ in 0..2 {
        let mut connection = Connection::open(server.address).await;
        connection.write(b"GET /api/v1/slow?700 HTTP/1.1\r\nHost: test\r\n\r\n").await;
        busy.push(connection);
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    let answer = server.get("/api/v1/me").await;
    assert_eq!(answer.is_error(503, "unavailable").header("retry-after"), Some("1"));
    server.get("/health").await.is_ok();
    for mut connection in busy {
        connection.read(false).await.unwrap().is_ok();
    }
    server.get("/api/v1/me").await.is_ok();
}

#[tokio::test]
async fn a_request_waiting_for_its_body_does_not_count_as_running() {
    let server = start(routes::router(), Options { concurrency_max: 1, ..Options::default() }, Limits::default()).await;
    let mut slow = Vec::new();
    for _ in 0..3 {
        let mut connection = Connection::open(server.address).await;
        connection.write(b"POST /api/v1/echo HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\na").await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        slow.push(connection);
    }
    server.get("/api/v1/me").await.is_ok();
    for mut connection in slow {
        connection.write(b"b").await;
        assert_eq!(connection.read(false).await.unwrap().is_ok().text(), "ab");
    }
    let mut busy = Connection::open(server.address).await;
    busy.write(b"GET /api/v1/slow?700 HTTP/1.1\r\nHost: test\r\n\r\n").await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let body = "POST /api/v1/echo HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nab";
    server.send(body).await.is_error(503, "unavailable");
    busy.read(false).await.unwrap().is_ok();
}

#[tokio::test]
async fn an_error_that_is_not_json_is_reshaped_under_the_api_and_left_alone_elsewhere() {
    let server = start_plain().await;
    server.get("/api/v1/plain-error").await.is_error(502, "internal");
    let page = server.get("/page-error").await;
    assert_eq!((page.status, page.text()), (404, "<p>nothing</p>"));
    page.etag();
}
