use super::client::{Answer, Server, start_plain};
use super::routes;

const BIG: &str = "/api/v1/big";

fn without_date(answer: &Answer) -> Vec<(String, String)> {
    let mut headers = answer.headers.clone();
    headers.retain(|(name, _)| name != "date");
    headers.sort();
    headers
}

#[tokio::test]
async fn every_answer_has_a_tag_that_follows_its_bytes() {
    let server = start_plain().await;
    for target in ["/api/v1/me", BIG, "/api/v1/nothing", "/api/v1/days?days=x", "/health", "/api/v1/panic"] {
        let (first, second) = (server.get(target).await, server.get(target).await);
        assert_eq!((first.etag(), &first.body), (second.etag(), &second.body), "{target}");
    }
    assert_ne!(server.get("/api/v1/days?days=1").await.etag(), server.get("/api/v1/days?days=2").await.etag());
    assert_eq!(server.get("/api/v1/known").await.etag(), "W/\"known\"");
    // printf '{"id":1}' | b3sum = 7eb500fca7774a3e1554f3dadadc0849...
    assert_eq!(server.get("/api/v1/me").await.etag(), "W/\"7eb500fca7774a3e1554f3dadadc0849\"");
}

async fn status_if_none_match(server: &Server, target: &str, lines: &[&str]) -> u16 {
    let fields: String = lines.iter().map(|line| format!("If-None-Match: {line}\r\n")).collect();
    server.get_with(target, &fields).await.status
}

#[tokio::test]
async fn a_known_tag_is_answered_without_a_body_and_with_the_headers_that_matter() {
    let server = start_plain().await;
    let full = server.get(BIG).await;
    let tag = full.etag().to_owned();
    let answer = server.get_with(BIG, &format!("If-None-Match: {tag}\r\nAccept-Encoding: gzip\r\n")).await;
    assert_eq!((answer.status, answer.body.len()), (304, 0));
    for name in ["etag", "cache-control", "vary", "access-control-allow-origin", "access-control-expose-headers"] {
        assert_eq!(answer.header(name), full.header(name), "{name}");
    }
    assert_eq!(answer.header("vary"), Some("Authorization, Accept-Encoding"));
    for name in ["content-type", "content-length", "content-encoding", "transfer-encoding"] {
        assert_eq!(answer.header(name), None, "{name}");
    }
    assert_eq!(server.ask("HEAD", BIG, &format!("If-None-Match: {tag}\r\n")).await.status, 304);
}

#[tokio::test]
async fn if_none_match_takes_lists_lines_stars_and_weak_tags() {
    let server = start_plain().await;
    let tag = server.get(BIG).await.etag().to_owned();
    let strong = tag.trim_start_matches("W/").to_owned();
    let fifty = (0..49).map(|number| format!("\"{number}\", ")).collect::<String>() + &tag;
    let junk = format!("{}, {tag}", "x".repeat(10_000));
    for line in [tag.as_str(), &strong, "*", &fifty, &junk, &format!("  {tag}  ,\"b\"")] {
        assert_eq!(status_if_none_match(&server, BIG, &[line]).await, 304, "{line}");
    }
    assert_eq!(status_if_none_match(&server, BIG, &["\"a\"", &tag]).await, 304);
    for line in ["\"a\"", "", strong.trim_matches('"'), &"y".repeat(10_000)] {
        assert_eq!(status_if_none_match(&server, BIG, &[line]).await, 200, "{line}");
    }
}

#[tokio::test]
async fn only_a_200_can_become_a_304() {
    let server = start_plain().await;
    for (target, status) in [("/api/v1/nothing", 404), ("/api/v1/days?days=x", 422), ("/api/v1/panic", 500)] {
        let tag = server.get(target).await.etag().to_owned();
        assert_eq!(status_if_none_match(&server, target, &[&tag, "*"]).await, status);
    }
    assert_eq!(server.ask("POST", "/api/v1/me", "If-None-Match: *\r\n").await.status, 405);
    assert_eq!(server.ask("OPTIONS", "/api/v1/me", "If-None-Match: *\r\n").await.status, 204);
    let echoed = server.send("POST /api/v1/echo HTTP/1.1\r\nHost: test\r\nIf-None-Match: *\r\nContent-Length: 2\r\n\r\nhi").await;
    assert_eq!((echoed.status, echoed.text()), (200, "hi"));
    let others = "If-Match: \"x\"\r\nIf-Modified-Since: Tue, 01 Jan 2036 00:00:00 GMT\r\nIf-Unmodified-Since: Tue, 01 Jan 1980 00:00:00 GMT\r\n";
    server.get_with(BIG, others).await.is_ok();
}

#[tokio::test]
async fn head_has_the_headers_of_get_and_no_body() {
    let server = start_plain().await;
    let targets = ["/api/v1/me", BIG, "/api/v1/known", "/api/v1/stocks/KO", "/api/v1/nothing", "/api/v1/days?days=x", "/health"];
    for target in targets {
        for encoding in ["", "Accept-Encoding: gzip\r\n", "Accept-Encoding: br\r\n"] {
            let get = server.get_with(target, encoding).await;
            let head = server.ask("HEAD", target, encoding).await;
            assert_eq!(head.status, get.status);
            assert_eq!(without_date(&head), without_date(&get), "{target} {encoding}");
            assert_eq!(get.header("content-length"), Some(get.body.len().to_string().as_str()));
        }
    }
}

#[tokio::test]
async fn answers_are_compressed_as_asked_under_one_weak_tag() {
    let server = start_plain().await;
    let plain = server.get(BIG).await;
    assert_eq!((plain.header("content-encoding"), plain.text()), (None, routes::big().as_str()));
    let first_bytes: [(&str, &[u8]); 2] = [("gzip", b"\x1f\x8b"), ("br", b"")];
    for (encoding, magic) in first_bytes {
        let answer = server.get_with(BIG, &format!("Accept-Encoding: {encoding}\r\n")).await;
        assert_eq!(answer.is_ok().header("content-encoding"), Some(encoding));
        assert!(answer.body.starts_with(magic) && answer.body.len() < plain.body.len() / 2, "{encoding}");
        assert_eq!(answer.etag(), plain.etag());
        assert_eq!(answer.header("vary"), Some("Authorization, Accept-Encoding"));
    }
    assert_eq!(plain.header("vary"), Some("Authorization, Accept-Encoding"));
}

#[tokio::test]
async fn small_or_unrequested_answers_are_not_compressed() {
    let server = start_plain().await;
    assert_eq!(server.get_with("/api/v1/me", "Accept-Encoding: gzip\r\n").await.header("content-encoding"), None);
    for accepted in ["identity", "gzip;q=0", "deflate", "nonsense", "identity;q=0, *;q=0", ""] {
        let answer = server.get_with(BIG, &format!("Accept-Encoding: {accepted}\r\n")).await;
        assert_eq!((answer.is_ok().header("content-encoding"), answer.text()), (None, routes::big().as_str()), "{accepted}");
    }
}
