use std::time::Duration;

use tokio::io::AsyncWriteExt;

use super::client::{Connection, start_plain};

#[tokio::test]
async fn exactly_one_valid_host_is_needed() {
    let server = start_plain().await;
    let fields =
        ["", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n", "Host:\r\n", "Host: a b\r\n", "Host: a/b\r\n", "Host: me@a\r\n"];
    for fields in fields {
        let answer = server.send(format!("GET /api/v1/me HTTP/1.1\r\n{fields}\r\n")).await;
        assert_eq!(answer.is_error(400, "bad_request").header("connection"), Some("close"), "{fields}");
    }
    for host in ["a", "a.example:8080", "127.0.0.1", "[::1]:80"] {
        server.send(format!("GET /api/v1/me HTTP/1.1\r\nHost: {host}\r\n\r\n")).await.is_ok();
    }
    server.send("GET /api/v1/me HTTP/1.0\r\n\r\n").await.is_ok();
}

#[tokio::test]
async fn a_request_with_two_lengths_is_refused_and_ends_the_connection() {
    let server = start_plain().await;
    let heads = [
        "POST /api/v1/echo HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /api/v1/echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        "GET /api/v1/me HTTP/1.1\r\nHost: t\r\ntransfer-encoding: CHUNKED\r\nX: y\r\ncontent-length: 0\r\n\r\n0\r\n\r\n",
    ];
    for head in heads {
        let mut connection = Connection::open(server.address).await;
        connection.write(head.as_bytes()).await;
        connection.write(b"GET /api/v1/me HTTP/1.1\r\nHost: t\r\n\r\n").await;
        let answer = connection.read(false).await.unwrap();
        assert_eq!(answer.is_error(400, "bad_request").header("connection"), Some("close"));
        assert!(connection.ends_within(Duration::from_secs(5)).await, "nothing may follow {head}");
    }
}

#[tokio::test]
async fn the_second_of_two_requests_in_one_packet_is_checked_too() {
    let server = start_plain().await;
    let mut connection = Connection::open(server.address).await;
    let first = "POST /api/v1/echo HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\nabc";
    let second = "POST /api/v1/echo HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    connection.write(format!("{first}{second}").as_bytes()).await;
    assert_eq!(connection.read(false).await.unwrap().is_ok().text(), "abc");
    connection.read(false).await.unwrap().is_error(400, "bad_request");
}

#[tokio::test]
async fn a_chunked_body_alone_is_read_and_ends_the_connection() {
    let server = start_plain().await;
    let answer = server
        .send("POST /api/v1/echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        .await;
    assert_eq!((answer.is_ok().text(), answer.header("connection")), ("abcde", Some("close")));
    let endless = format!("11170\r\n{}\r\n0\r\n\r\n", "x".repeat(0x11170));
    let head = "POST /api/v1/echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n";
    server.send(format!("{head}{endless}")).await.is_error(413, "bad_request");
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_before_it_is_sent_and_while() {
    let server = start_plain().await;
    let head = |length: usize| format!("POST /api/v1/echo HTTP/1.1\r\nHost: t\r\nContent-Length: {length}\r\n\r\n");
    let announced = server.send(head(65_537)).await;
    assert_eq!(announced.is_error(413, "bad_request").header("connection"), Some("close"));
    let sent = server.send(format!("{}{}", head(5_000_000), "x".repeat(5_000_000))).await;
    sent.is_error(413, "bad_request");
    let fits = server.send(format!("{}{}", head(65_536), "x".repeat(65_536))).await;
    assert_eq!(fits.is_ok().body.len(), 65_536);
}

#[tokio::test]
async fn a_refused_client_that_is_still_sending_can_read_the_answer() {
    let server = start_plain().await;
    let announced = "POST /api/v1/echo HTTP/1.1\r\nHost: t\r\nContent-Length: 5000000\r\n\r\n".to_owned();
    for head in [announced, format!("GET /{} HTTP/1.1\r\n", "x".repeat(100_000))] {
        let mut connection = Connection::open(server.address).await;
        connection.write(head.as_bytes()).await;
        connection.write(&[b'x'; 300_000]).await;
        assert!(connection.read(false).await.unwrap().status >= 400);
        for _ in 0..3 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            connection.stream.write_all(&[b'x'; 1_000]).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_fragment_is_refused_and_the_absolute_form_is_not() {
    let server = start_plain().await;
    for target in ["/api/v1/me#x", "/api/v1/me?a=b#", "http://test/api/v1/me#x", "/#"] {
        server.get(target).await.is_error(400, "bad_request");
    }
    let (absolute, origin) = (server.get("http://test/api/v1/me").await, server.get("/api/v1/me").await);
    assert_eq!((absolute.is_ok().text(), absolute.etag()), (origin.text(), origin.etag()));
    server.get("http://other.example/api/v1/nothing").await.is_error(404, "not_found");
}

#[tokio::test]
async fn a_request_target_over_8_kb_is_too_long() {
    let server = start_plain().await;
    let target = |bytes: usize| format!("/api/v1/me?{}", "x".repeat(bytes - "/api/v1/me?".len()));
    server.get(&target(8_192)).await.is_ok();
    let mine = server.get(&target(8_193)).await;
    assert_eq!(mine.is_error(414, "bad_request").header("access-control-allow-origin"), Some("*"));
    for bytes in [60_000, 65_500, 70_000, 500_000, 3_000_000] {
        server.get(&target(bytes)).await.is_error(414, "bad_request");
    }
}

#[tokio::test]
async fn headers_over_16_kb_or_over_100_are_too_large() {
    let server = start_plain().await;
    // With Host (4 + 4 bytes) and the name of one byte.
    let field = |bytes: usize| format!("x: {}\r\n", "y".repeat(bytes - 9));
    server.get_with("/api/v1/me", &field(16_384)).await.is_ok();
    server.get_with("/api/v1/me", &field(16_385)).await.is_error(431, "bad_request");
    for bytes in [60_000, 300_000, 2_000_000] {
        server.get_with("/api/v1/me", &field(bytes)).await.is_error(431, "bad_request");
    }
    let many = |count: usize| "x: y\r\n".repeat(count - 1);
    server.get_with("/api/v1/me", &many(100)).await.is_ok();
    for count in [101, 1_000] {
        server.get_with("/api/v1/me", &many(count)).await.is_error(431, "bad_request");
    }
}

#[tokio::test]
async fn anything_but_http_gets_the_usual_error_and_the_connection_ends() {
    let server = start_plain().await;
    let broken: [&[u8]; 15] = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a TLS hello\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /api/v1/me\r\n\r\n",
        b"GET /api/v1/me HTTP/9.9\r\nHost: t\r\n\r\n",
        b"GET /a b HTTP/1.1\r\nHost: t\r\n\r\n",
        b"GET /api/v1/me HTTP/1.1\r\nHost : t\r\n\r\n",
        b"GET /api/v1/me HTTP/1.1\r\nHost: t\r\nA: b\r\n folded\r\n\r\n",
        b"GET /api/v1/me HTTP/1.1\r\nHost: t\r\nA: b\0c\r\n\r\n",
        b"GET /api/v1/me\0 HTTP/1.1\r\nHost: t\r\n\r\n",
        b"GET /api/v1/me HTTP/1.1\r\nno colon\r\n\r\n",
        b"POST /api/v1/echo HTTP/1.1\r\nHost: t\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
        b"POST /api/v1/echo HTTP/1.1\r\nHost: t\r\nContent-Length: +4\r\n\r\nabcd",
        b"POST /api/v1/echo HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        b"POST /api/v1/echo HTTP/1.0\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ];
    for raw in broken {
        let mut connection = Connection::open(server.address).await;
        connection.write(raw).await;
        let answer = connection.read(false).await.unwrap_or_else(|| panic!("no answer to {:?}", String::from_utf8_lossy(raw)));
        answer.is_error(400, "bad_request");
        assert_eq!(answer.header("connection"), Some("close"));
        assert!(answer.header("date").is_some());
        assert!(connection.ends_within(Duration::from_secs(5)).await);
    }
}

#[tokio::test]
async fn garbage_after_a_good_request_is_answered_after_it() {
    let server = start_plain().await;
    let mut connection = Connection::open(server.address).await;
    connection.write(b"GET /api/v1/me HTTP/1.1\r\nHost: t\r\n\r\nnonsense\r\n\r\n").await;
    connection.read(false).await.unwrap().is_ok();
    connection.read(false).await.unwrap().is_error(400, "bad_request");
}

#[tokio::test]
async fn bare_line_feeds_and_blank_lines_between_requests_are_read_as_proxies_read_them() {
    let server = start_plain().await;
    let mut connection = Connection::open(server.address).await;
    connection.write(b"GET /api/v1/me HTTP/1.1\nHost: t\n\n\r\n\r\nGET /api/v1/me HTTP/1.1\r\nHost: t\r\n\r\n").await;
    connection.read(false).await.unwrap().is_ok();
    connection.read(false).await.unwrap().is_ok();
}

#[tokio::test]
async fn query_parameters_are_read_strictly() {
    let server = start_plain().await;
    let clamped = [("days=%35", 5), ("days=0", 1), ("days=-5", 1), ("days=121", 120), ("days=99999999999999999999", 120)];
    let ignored = [("", 45), ("days[]=5", 45), ("DAYS=5", 45), ("x=%FF", 45)];
    for (query, days) in clamped.into_iter().chain(ignored) {
        let answer = server.get(&format!("/api/v1/days?{query}")).await;
        assert_eq!(answer.is_ok().text(), format!(r#"{{"days":{days}}}"#), "{query}");
    }
    for value in ["", "%205", "5+", "+5", "5.0", "1e2", "0x5", "%EF%BC%95", "NaN", "%FF", "%00", "%", "%2", "%zz", "5&days=6"] {
        let answer = server.get(&format!("/api/v1/days?days={value}")).await;
        assert!(answer.is_error(422, "invalid_params").text().contains("`days`"), "{value}");
    }
}

#[tokio::test]
async fn any_text_is_accepted_or_refused_but_never_fails() {
    let server = start_plain().await;
    let refused = ["%FF", "%C0%AF", "%ED%A0%80", "%00", "a%00b", "%0d%0a", "%", "%2", "%zz", "", "+"];
    for value in refused {
        server.get(&format!("/api/v1/search?q={value}")).await.is_error(422, "invalid_params");
    }
    server.get(&format!("/api/v1/search?q={}", "x".repeat(8_000))).await.is_error(422, "invalid_params");
    for (value, text) in
        [("%F0%9F%98%80", "😀"), ("%E2%80%AEabc", "\u{202e}abc"), ("e%CC%81", "e\u{301}"), ("%22%3Cb%3E", "\"<b>")]
    {
        let answer = server.get(&format!("/api/v1/search?q={value}")).await;
        assert_eq!(serde_json::from_slice::<serde_json::Value>(&answer.is_ok().body).unwrap()["q"], text);
    }
    server.send("GET /api/v1/search?q=\u{e9} HTTP/1.1\r\nHost: t\r\n\r\n").await;
}
