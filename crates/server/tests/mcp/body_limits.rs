//! How much is read from whom. The bytes are sent by hand, because a refused client stops at different points.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use testkit::Service;

const BYTES_MAX: usize = 128 << 10;

/// Sends the head and part of the body, and reads the head of the answer.
fn answer_to(service: &Service, token: Option<&str>, length: &str, body: &[u8]) -> String {
    let mut stream = TcpStream::connect(service.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let bearer = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         {bearer}{length}\r\n\r\n",
        service.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    // The service may close before it has read everything.
    let _ = stream.write_all(body);
    let mut read = Vec::new();
    let mut space = [0; 4096];
    while !read.windows(4).any(|window| window == b"\r\n\r\n") {
        let count = stream.read(&mut space).unwrap();
        assert!(count > 0, "closed without an answer");
        read.extend_from_slice(&space[..count]);
    }
    String::from_utf8_lossy(&read).into_owned()
}

#[test]
fn the_body_is_not_read_without_a_token() {
    // Ten megabytes are announced, three bytes come, and the answer does not wait for the rest.
    let service = Service::start();
    for token in [None, Some("drip_pat_nobody")] {
        for (length, body) in [("Content-Length: 10000000", "{\"j"), ("Transfer-Encoding: chunked", "10000\r\n{\"j")] {
            let answer = answer_to(&service, token, length, body.as_bytes());
            assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
            assert!(answer.to_ascii_lowercase().contains("connection: close"), "{answer}");
        }
    }
}

#[test]
fn a_request_body_has_at_most_128_kib() {
    let service = Service::start();
    let token = service.account("ana@example.com", "EUR", None);
    let announced = answer_to(&service, Some(&token), &format!("Content-Length: {}", BYTES_MAX + 1), b"{");
    assert!(announced.starts_with("HTTP/1.1 413 "), "{announced}");
    let fits = answer_to(&service, Some(&token), &format!("Content-Length: {BYTES_MAX}"), &vec![b' '; BYTES_MAX]);
    assert!(fits.starts_with("HTTP/1.1 4") && !fits.starts_with("HTTP/1.1 413 "), "it is read, and is no JSON: {fits}");
}

#[test]
fn a_chunked_request_body_has_the_same_limit() {
    let service = Service::start();
    let token = service.account("ana@example.com", "EUR", None);
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    let body = format!("{}0\r\n\r\n", chunk.repeat(17));
    let answer = answer_to(&service, Some(&token), "Transfer-Encoding: chunked", body.as_bytes());
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
}
