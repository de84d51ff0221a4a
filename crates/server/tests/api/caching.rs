use testkit::sample::{ANA, World};
use testkit::{Answer, Service};

use super::contract::{ask, get};
use super::tokens::{LIMITED, PRIVATE};

const DOCUMENT: &str = "/api/v1/openapi.json";

fn varies(answer: &Answer, on: &str) -> bool {
    answer.header("vary").split(',').any(|name| name.trim().eq_ignore_ascii_case(on))
}

#[test]
fn private_answers_and_errors_are_for_their_owner_only() {
    let world = World::start();
    let check = |path: &str, token: Option<&str>, status: u16| {
        let answer = get(&world, path, token);
        assert_eq!((answer.status, answer.header("cache-control")), (status, "private, no-cache"), "{path}");
        assert!(varies(&answer, "Authorization"), "{path}");
    };
    for path in PRIVATE {
        check(path, Some(&world.ana), 200);
        check(path, None, 401);
    }
    check("/api/v1/holdings?portfolio=none", Some(&world.ana), 422);
    world.run(app::accounts::set_disabled(&world.app, ANA, true)).unwrap();
    check("/api/v1/me", Some(&world.ana), 403);
}

#[test]
fn public_answers_may_be_kept_a_minute_without_a_token_and_are_private_with_one() {
    let world = World::start();
    for path in LIMITED.into_iter().chain([DOCUMENT]) {
        let anonymous = get(&world, path, None);
        assert_eq!(anonymous.header("cache-control"), "public, max-age=60", "{path}");
        let with_token = get(&world, path, Some(&world.ana));
        assert_eq!(with_token.header("cache-control"), "private, no-cache", "{path}");
        for answer in [anonymous, with_token] {
            assert!(varies(&answer, "Authorization") && varies(&answer, "Accept-Encoding"), "{path}");
        }
    }
}

#[test]
fn nothing_private_is_ever_marked_for_shared_caches() {
    let world = World::start();
    for path in PRIVATE.into_iter().chain(LIMITED) {
        let policy = get(&world, path, Some(&world.ana)).header("cache-control").to_owned();
        assert!(["public", "s-maxage", "must-revalidate"].iter().all(|word| !policy.contains(word)), "{path}: {policy}");
    }
}

#[test]
fn gzip_and_brotli_are_negotiated_under_one_weak_tag() {
    let world = World::start();
    for path in ["/api/v1/income", "/api/v1/upcoming", DOCUMENT] {
        let plain = get(&world, path, Some(&world.ana));
        assert!(!plain.headers.contains_key("content-encoding"));
        for (encoding, first_bytes) in [("gzip", &b"\x1f\x8b"[..]), ("br", b"")] {
            let answer = ask(&world, "GET", path, Some(&world.ana), &[("Accept-Encoding", encoding)]);
            assert_eq!((answer.status, answer.header("content-encoding")), (200, encoding), "{path}");
            assert!(answer.body.starts_with(first_bytes) && answer.body.len() < plain.body.len(), "{path} {encoding}");
            assert_eq!(answer.header("etag"), plain.header("etag"), "a tag for several encodings is weak");
            assert_eq!(answer.header("content-length"), answer.body.len().to_string());
            assert!(varies(&answer, "Accept-Encoding"));
            let known = [("Accept-Encoding", encoding), ("If-None-Match", plain.header("etag"))];
            assert_eq!(ask(&world, "GET", path, Some(&world.ana), &known).status, 304);
        }
    }
}

#[test]
fn answers_are_compressed_only_on_request() {
    let world = World::start();
    let plain = get(&world, "/api/v1/income", Some(&world.ana));
    for accepted in ["identity", "gzip;q=0", "deflate", ""] {
        let answer = ask(&world, "GET", "/api/v1/income", Some(&world.ana), &[("Accept-Encoding", accepted)]);
        assert_eq!((answer.status, &answer.body), (200, &plain.body), "{accepted}");
        assert!(!answer.headers.contains_key("content-encoding"), "{accepted}");
    }
}

#[test]
fn gzip_unpacks_to_the_same_json() {
    let world = World::start();
    let plain = get(&world, "/api/v1/income", Some(&world.ana));
    let packed = ask(&world, "GET", "/api/v1/income", Some(&world.ana), &[("Accept-Encoding", "gzip")]);
    // The trailer of a gzip stream: CRC-32 and length of what it unpacks to.
    let trailer = &packed.body[packed.body.len() - 8..];
    assert_eq!(trailer[..4], crc_32(&plain.body).to_le_bytes());
    assert_eq!(trailer[4..], u32::try_from(plain.body.len()).unwrap().to_le_bytes());
}

fn crc_32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

#[test]
fn head_has_the_headers_of_get_and_no_body() {
    let world = World::start();
    let headers = |answer: &Answer| {
        let mut headers = answer.headers.clone();
        // The time, and the count of the limit, go on between the two.
        for name in ["date", "ratelimit"] {
            headers.remove(name);
        }
        headers
    };
    let errors = ["/api/v1/holdings?portfolio=none", "/api/v1/stocks/NOPE", "/api/v1/nothing"];
    for path in PRIVATE.into_iter().chain(LIMITED).chain([DOCUMENT]).chain(errors) {
        for token in [None, Some(world.ana.as_str())] {
            for encoding in ["identity", "gzip"] {
                let get = ask(&world, "GET", path, token, &[("Accept-Encoding", encoding)]);
                let head = ask(&world, "HEAD", path, token, &[("Accept-Encoding", encoding)]);
                assert_eq!((head.status, headers(&head)), (get.status, headers(&get)), "{path} {encoding}");
                assert_eq!(head.header("content-length"), get.body.len().to_string());
            }
        }
    }
}

#[test]
fn a_cached_answer_is_never_served_to_another_user() {
    let service = Service::start();
    let tokens: Vec<String> = (0..4).map(|number| service.account(&format!("u{number}@example.com"), "EUR", None)).collect();
    for round in 0..3 {
        for (number, token) in tokens.iter().enumerate() {
            let me = get(&service, "/api/v1/me", Some(token)).json();
            assert_eq!(me["email"], format!("u{number}@example.com"), "round {round}");
        }
    }
}
