use testkit::sample::World;

use super::contract::{ask, get};
use super::tokens::{LIMITED, PRIVATE};

const METHODS: &str = "GET, HEAD, OPTIONS";

fn every_path() -> impl Iterator<Item = &'static str> {
    PRIVATE.into_iter().chain(LIMITED).chain(["/api/v1/openapi.json"])
}

#[test]
fn every_other_method_on_a_known_path_is_refused_with_the_ones_it_takes() {
    let world = World::start();
    for path in every_path() {
        for method in ["POST", "PUT", "PATCH", "DELETE", "FOO"] {
            let answer = ask(&world, method, path, Some(&world.ana), &[]);
            assert_eq!((answer.status, answer.error_code().as_str()), (405, "bad_request"), "{method} {path}");
            assert_eq!(answer.header("allow"), METHODS, "{method} {path}");
        }
    }
}

#[test]
fn no_method_changes_anything() {
    let world = World::start();
    let all = || -> Vec<Vec<u8>> { PRIVATE.into_iter().map(|path| get(&world, path, Some(&world.ana)).body).collect() };
    let before = all();
    for path in PRIVATE {
        for method in ["POST", "PUT", "PATCH", "DELETE"] {
            ask(&world, method, path, Some(&world.ana), &[]);
        }
    }
    assert_eq!(all(), before);
}

#[test]
fn head_works_wherever_get_does() {
    let world = World::start();
    for path in every_path() {
        assert_eq!(ask(&world, "HEAD", path, Some(&world.ana), &[]).status, 200, "{path}");
    }
    for path in PRIVATE {
        assert_eq!(ask(&world, "HEAD", path, None, &[]).status, 401, "{path}");
    }
}

#[test]
fn options_answers_a_preflight_from_any_origin_without_a_token() {
    let world = World::start();
    let asked = [
        ("Origin", "https://app.example"),
        ("Access-Control-Request-Method", "GET"),
        ("Access-Control-Request-Headers", "authorization, if-none-match"),
    ];
    for path in every_path() {
        let answer = ask(&world, "OPTIONS", path, None, &asked);
        assert_eq!((answer.status, answer.body.len(), answer.header("allow")), (204, 0, METHODS), "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
        assert_eq!(answer.header("access-control-allow-methods"), METHODS, "{path}");
        let allowed = answer.header("access-control-allow-headers").to_lowercase();
        assert!(allowed.contains("authorization") && allowed.contains("if-none-match"), "{path}: {allowed}");
        assert!(!answer.headers.contains_key("access-control-allow-credentials"), "{path}");
    }
}

#[test]
fn every_answer_is_open_to_every_origin_without_credentials_and_exposes_its_headers() {
    let world = World::start();
    let errors = ["/api/v1/nothing", "/api/v1/stocks/NOPE", "/api/v1/stocks", "/api/v1/holdings?portfolio=none"];
    for path in every_path().chain(errors) {
        for token in [None, Some(world.ana.as_str())] {
            let answer = ask(&world, "GET", path, token, &[("Origin", "https://app.example")]);
            assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
            assert_eq!(
                answer.header("access-control-expose-headers"),
                "ETag, Retry-After, RateLimit, RateLimit-Policy",
                "{path}"
            );
            assert!(!answer.headers.contains_key("access-control-allow-credentials"), "{path}");
        }
    }
}
