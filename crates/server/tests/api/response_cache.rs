//! Repeated requests: a cached response has the same bytes and is never served after a change.

use testkit::Answer;
use testkit::sample::{ANA, BOB, World};

use super::contract::{ask, get};
use super::tokens::{LIMITED, PRIVATE};

/// The answer without its date.
fn parts(mut answer: Answer) -> (u16, Vec<(String, String)>, Vec<u8>) {
    for name in ["date", "ratelimit"] {
        answer.headers.remove(name);
    }
    (answer.status, answer.headers.into_iter().collect(), answer.body)
}

#[test]
fn answers_are_the_same_from_the_cache_and_without_it() {
    let world = World::start();
    for encoding in [&[][..], &[("Accept-Encoding", "gzip")], &[("Accept-Encoding", "br, zstd;q=0.5")]] {
        // Two times 24 requests without a token are within the limit.
        let public = LIMITED.iter().filter(|_| encoding.first() != Some(&("Accept-Encoding", "gzip")));
        let all = PRIVATE.iter().map(|path| (*path, Some(&*world.ana))).chain(public.map(|path| (*path, None)));
        for (path, token) in all {
            let first = parts(ask(&world, "GET", path, token, encoding));
            assert_eq!(first.0, 200, "{path}");
            let tag = first.1.iter().find(|(name, _)| name == "etag").unwrap().1.clone();
            let known = [encoding, &[("If-None-Match", &*tag)]].concat();
            let unchanged = parts(ask(&world, "GET", path, token, &known));
            assert_eq!((unchanged.0, unchanged.2.len()), (304, 0), "{path}");
            for _ in 0..2 {
                assert_eq!(parts(ask(&world, "GET", path, token, encoding)), first, "{path}");
                assert_eq!(parts(ask(&world, "GET", path, token, &known)), unchanged, "{path}");
                let head = parts(ask(&world, "HEAD", path, token, encoding));
                assert_eq!((head.0, &head.1, head.2.len()), (first.0, &first.1, 0), "{path}");
            }
        }
    }
}

#[test]
fn a_request_with_an_etag_gets_the_body_once_it_changed() {
    let world = World::start();
    let tag = get(&world, "/api/v1/income?years=7", Some(&world.ana)).header("etag").to_owned();
    world.import(ANA, "date,type,symbol,shares,price,currency\n2026-01-02,buy,QTR,1,10,EUR\n");
    let changed = ask(&world, "GET", "/api/v1/income?years=7", Some(&world.ana), &[("If-None-Match", &tag)]);
    assert_eq!(changed.status, 200);
    world.run(app::accounts::set_disabled(&world.app, BOB, true)).unwrap();
    let tag = changed.header("etag").to_owned();
    let asked = |path: &str| ask(&world, "GET", path, Some(&world.ana), &[("If-None-Match", &tag)]).status;
    // Written otherwise, it is the same question, and its answer is known by its tag alone.
    assert_eq!([asked("/api/v1/income?years=07"), asked("/api/v1/income?years=07")], [304, 304]);
    let whole = get(&world, "/api/v1/income?years=07", Some(&world.ana));
    assert_eq!((whole.status, whole.body), (200, changed.body));
}

#[test]
fn any_change_shows_at_the_next_request() {
    let world = World::start();
    let other = world.second_node("2026-11-15T12:00:00Z");
    let income = || get(&world, "/api/v1/income", Some(&world.ana));
    for day in 1..=9 {
        let before = [income(), income(), income()].map(|answer| answer.header("etag").to_owned());
        assert!(before.iter().all(|tag| *tag == before[0]));
        other.import(ANA, &format!("date,type,symbol,shares,price,currency\n2026-02-0{day},buy,QTR,1,10,EUR\n"));
        assert_ne!(income().header("etag"), before[0]);
    }
    other.run(app::accounts::set_disabled(&other.app, ANA, true)).unwrap();
    assert_eq!(income().status, 403);
    other.run(app::accounts::set_disabled(&other.app, ANA, false)).unwrap();
    assert_eq!([income().status, income().status], [200, 200]);
    let tokens = other.run(app::authentication::tokens::list(&other.app, other.user_id(ANA))).unwrap();
    other.run(app::authentication::tokens::revoke(&other.app, &tokens[0].id.to_string())).unwrap();
    assert_eq!(income().status, 401);
}

#[test]
fn a_cached_response_is_never_served_to_another_user() {
    let world = World::start();
    for path in PRIVATE {
        let [ana, bob] = [&world.ana, &world.bob].map(|token| parts(get(&world, path, Some(token))).2);
        assert_ne!(ana, bob, "{path}");
        for _ in 0..2 {
            assert_eq!(parts(get(&world, path, Some(&world.bob))).2, bob, "{path}");
            assert_eq!(parts(get(&world, path, Some(&world.ana))).2, ana, "{path}");
            assert_eq!(get(&world, path, None).status, 401, "{path}");
        }
    }
}

#[test]
fn an_invalid_token_is_refused_the_same_way_each_time() {
    let world = World::start();
    let last = if world.ana.ends_with('x') { 'y' } else { 'x' };
    let noise = format!("{}{last}", &world.ana[..world.ana.len() - 1]);
    for path in PRIVATE {
        let first = parts(get(&world, path, Some(&noise)));
        assert_eq!(first.0, 401);
        for query in ["", "?years=nonsense", "?portfolio="] {
            let asked = ask(
                &world,
                "GET",
                &format!("{path}{query}"),
                Some(&noise),
                &[("If-None-Match", "*"), ("Accept-Encoding", "gzip")],
            );
            assert_eq!(parts(asked), first, "{path}{query}");
        }
        assert_eq!(get(&world, path, Some(&world.ana)).status, 200);
    }
}

#[test]
fn cached_responses_count_against_the_rate_limit() {
    let world = World::start();
    let statuses: Vec<u16> = (0..62).map(|_| get(&world, "/api/v1/calendar", None).status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 60);
    assert_eq!(statuses[60..], [429, 429]);
    // Requests with a token are not counted.
    assert_eq!(get(&world, "/api/v1/calendar", Some(&world.ana)).status, 200);
}

/// The response to these pieces on one connection, without the date.
fn raw_parts(world: &World, pieces: &[&str]) -> String {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(world.address).unwrap();
    let mut received = String::new();
    for piece in pieces {
        stream.write_all(piece.as_bytes()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(60));
    }
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    stream.read_to_string(&mut received).unwrap();
    received.split("\r\n").filter(|line| !line.starts_with("date: ")).collect::<Vec<_>>().join("\r\n")
}

#[test]
fn a_request_sent_in_two_pieces_gets_the_same_bytes() {
    let world = World::start();
    let bearer = |token: &str| format!("Authorization: Bearer {token}\r\n");
    let tag = get(&world, "/api/v1/income", Some(&world.ana)).header("etag").to_owned();
    let known = format!("{}If-None-Match: {tag}\r\n", bearer(&world.ana));
    let gone = world.run(app::authentication::tokens::create(&world.app, world.user_id(ANA), "gone")).unwrap();
    world.run(app::authentication::tokens::revoke(&world.app, &gone.id.to_string())).unwrap();
    for (path, fields) in [
        ("/api/v1/income", bearer(&world.ana)),
        ("/api/v1/income", known),
        ("/api/v1/income", bearer("drip_pat_noise")),
        ("/api/v1/income", bearer(&gone.token)),
        ("/api/v1/holdings", bearer(&world.bob) + "Accept-Encoding: gzip;q=0\r\n"),
        ("/api/v1/calendar", bearer(&world.bob)),
    ] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n");
        let (head, tail) = request.split_at(10);
        let whole = raw_parts(&world, &[&request, &request]);
        let halves = raw_parts(&world, &[head, tail, head, tail]);
        assert_eq!(whole, halves, "{path} {fields}");
        assert_eq!(whole.matches("HTTP/1.1 ").count(), 2, "{whole}");
    }
}
