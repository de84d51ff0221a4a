use app::accounts;
use testkit::sample::{ANA, BOB, LEDGER, PLAIN, STOCKS, World};
use testkit::{NOW, Service};

use super::contract::{ask, get};
use super::tokens::{LIMITED, PRIVATE};

const DOCUMENT: &str = "/api/v1/openapi.json";

fn everything() -> impl Iterator<Item = &'static str> {
    PRIVATE.into_iter().chain(LIMITED).chain([DOCUMENT])
}

fn tags(service: &Service, token: &str) -> Vec<(&'static str, String)> {
    everything().map(|path| (path, get(service, path, Some(token)).header("etag").to_owned())).collect()
}

fn status_knowing(world: &World, path: &str, known: &[&str]) -> u16 {
    let headers: Vec<(&str, &str)> = known.iter().map(|line| ("If-None-Match", *line)).collect();
    ask(world, "GET", path, Some(&world.ana), &headers).status
}

#[test]
fn the_same_answer_has_the_same_tag_and_another_answer_another() {
    let world = World::start();
    assert_eq!(tags(&world, &world.ana), tags(&world, &world.ana));
    let mut distinct: Vec<String> = tags(&world, &world.ana).into_iter().map(|(_, tag)| tag).collect();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), everything().count());
}

#[test]
fn errors_have_a_tag_that_follows_their_bytes() {
    let world = World::start();
    for (path, token) in [
        ("/api/v1/me", None),
        ("/api/v1/nothing", None),
        ("/api/v1/stocks/NOPE", None),
        ("/api/v1/income?years=x", Some(world.ana.as_str())),
    ] {
        let (first, second) = (get(&world, path, token), get(&world, path, token));
        assert!(first.status >= 400);
        assert_eq!((first.header("etag"), &first.body), (second.header("etag"), &second.body), "{path}");
    }
}

#[test]
fn a_known_tag_in_any_form_is_answered_304() {
    let world = World::start();
    for path in ["/api/v1/me", "/api/v1/income", "/api/v1/stocks/QTR", DOCUMENT] {
        let tag = get(&world, path, Some(&world.ana)).header("etag").to_owned();
        let strong = tag.strip_prefix("W/").unwrap();
        let fifty = (0..49).map(|number| format!("\"{number}\", ")).collect::<String>() + &tag;
        let long = format!("{}, {tag}", "x".repeat(10_000));
        for known in [tag.as_str(), strong, "*", &fifty, &long, &format!("  {tag} , \"b\""), &format!("\"a,b\",{strong}")] {
            assert_eq!(status_knowing(&world, path, &[known]), 304, "{path} {known}");
        }
        assert_eq!(status_knowing(&world, path, &["\"a\"", &tag]), 304, "two lines");
        for other in ["\"a\"", strong.trim_matches('"'), "\"*\"", "", &strong.to_uppercase(), &"y".repeat(10_000)] {
            assert_eq!(status_knowing(&world, path, &[other]), 200, "{path} {other}");
        }
    }
}

#[test]
fn a_304_has_no_body_and_keeps_the_headers_that_matter() {
    let world = World::start();
    for path in everything() {
        for token in [None, Some(world.ana.as_str())] {
            let full = get(&world, path, token);
            if full.status == 401 {
                continue;
            }
            let tag = full.header("etag");
            for method in ["GET", "HEAD"] {
                let answer = ask(&world, method, path, token, &[("If-None-Match", tag)]);
                assert_eq!((answer.status, answer.body.len()), (304, 0), "{path}");
                for name in ["etag", "cache-control", "vary", "ratelimit-policy"] {
                    assert_eq!(answer.header(name), full.header(name), "{path} {name}");
                }
                assert_eq!(answer.headers.contains_key("ratelimit"), full.headers.contains_key("ratelimit"), "{path}");
                assert!(!answer.headers.contains_key("content-type"), "{path}");
            }
        }
    }
}

#[test]
fn an_error_is_never_answered_304() {
    let world = World::start();
    let check = |method: &str, path: &str, token: Option<&str>, status: u16| {
        let tag = ask(&world, method, path, token, &[]).header("etag").to_owned();
        for known in [tag.as_str(), "*"] {
            assert_eq!(ask(&world, method, path, token, &[("If-None-Match", known)]).status, status, "{method} {path}");
        }
    };
    check("GET", "/api/v1/me", None, 401);
    check("GET", "/api/v1/nothing", None, 404);
    check("GET", "/api/v1/stocks/NOPE", None, 404);
    check("GET", "/api/v1/income?years=x", Some(&world.ana), 422);
    check("POST", "/api/v1/me", Some(&world.ana), 405);
    check("OPTIONS", "/api/v1/me", Some(&world.ana), 204);
    world.run(accounts::set_disabled(&world.app, ANA, true)).unwrap();
    check("GET", "/api/v1/me", Some(&world.ana), 403);
}

#[test]
fn other_conditions_are_ignored() {
    let world = World::start();
    let headers = [
        ("If-Match", "\"x\""),
        ("If-Modified-Since", "Tue, 01 Jan 2036 00:00:00 GMT"),
        ("If-Unmodified-Since", "Tue, 01 Jan 1980 00:00:00 GMT"),
    ];
    assert_eq!(ask(&world, "GET", "/api/v1/me", Some(&world.ana), &headers).status, 200);
}

#[test]
fn tags_are_the_same_on_another_node_and_after_a_restart() {
    let world = World::start();
    let before = tags(&world, &world.ana);
    let other = world.second_node(NOW);
    assert_eq!(tags(&other, &world.ana), before);
    let World { service, ana, .. } = world;
    drop(service);
    assert_eq!(tags(&other, &ana), before);
    let restarted = other.second_node(NOW);
    drop(other);
    assert_eq!(tags(&restarted, &ana), before);
}

#[test]
fn tags_differ_between_users_with_different_data() {
    let world = World::start();
    for path in PRIVATE {
        let tag = |token: &str| get(&world, path, Some(token)).header("etag").to_owned();
        assert_ne!(tag(&world.ana), tag(&world.bob), "{path}");
        let known = get(&world, path, Some(&world.ana)).header("etag").to_owned();
        assert_eq!(ask(&world, "GET", path, Some(&world.bob), &[("If-None-Match", &known)]).status, 200, "{path}");
    }
}

#[test]
fn importing_the_same_file_or_loading_the_same_market_again_changes_no_tag() {
    let world = World::start();
    let before = tags(&world, &world.ana);
    assert_eq!(world.import(ANA, LEDGER).new, 0);
    assert_eq!(tags(&world, &world.ana), before);
    testkit::sample::load_market(&world);
    assert_eq!(tags(&world, &world.ana), before);
}

#[test]
fn an_entry_changes_the_tags_of_the_answers_it_changes_and_of_no_others() {
    let world = World::start();
    let (ana, bob) = (tags(&world, &world.ana), tags(&world, &world.bob));
    world.import(ANA, "date,type,symbol,shares,price,currency\n2026-11-02,buy,QTR,1,80.00,USD\n");
    let changed = |before: &[(&'static str, String)], token: &str| -> Vec<&'static str> {
        tags(&world, token).iter().zip(before).filter(|(now, then)| now != then).map(|(now, _)| now.0).collect()
    };
    assert_eq!(
        changed(&ana, &world.ana),
        [
            "/api/v1/status",
            "/api/v1/holdings",
            "/api/v1/valuation",
            "/api/v1/transactions",
            "/api/v1/income",
            "/api/v1/upcoming",
            "/api/v1/whatif?symbol=QTR&shares=10",
            "/api/v1/explain?figure=annual_income"
        ]
    );
    assert_eq!(changed(&bob, &world.bob), Vec::<&str>::new());
    let ana = tags(&world, &world.ana);
    world.import(ANA, "date,type,symbol,shares,price,amount,currency\n2020-01-01,dividend,QTR,1,0.10,0.10,USD\n");
    assert_eq!(changed(&ana, &world.ana), ["/api/v1/dividends", "/api/v1/transactions"]);
}

#[test]
fn an_entry_on_one_node_changes_the_answer_of_the_other_at_once() {
    let world = World::start();
    let other = world.second_node(NOW);
    let before = get(&other, "/api/v1/holdings", Some(&world.bob)).body;
    world.import(BOB, &PLAIN.replace("2025-01-10", "2025-01-11"));
    assert_ne!(get(&other, "/api/v1/holdings", Some(&world.bob)).body, before);
}

#[test]
fn a_new_price_changes_the_tags_of_what_shows_it() {
    let world = World::start();
    let before = tags(&world, &world.bob);
    world.load(&[("stocks.csv", &STOCKS.replace("80.00", "90.00"))]);
    let after = tags(&world, &world.bob);
    let changed: Vec<&str> = after.iter().zip(&before).filter(|(now, then)| now != then).map(|(now, _)| now.0).collect();
    // The yield, and with it income's current_yield_pct.
    assert_eq!(changed, ["/api/v1/valuation", "/api/v1/income", "/api/v1/whatif?symbol=QTR&shares=10", "/api/v1/stocks/QTR"]);
}

#[test]
fn the_next_day_has_other_answers() {
    let world = World::start();
    let tomorrow = world.second_node("2026-11-16T00:00:00Z");
    for path in ["/api/v1/calendar", "/api/v1/upcoming", "/api/v1/status", "/api/v1/received"] {
        let tag = |service: &Service| get(service, path, Some(&world.ana)).header("etag").to_owned();
        assert_ne!(tag(&world), tag(&tomorrow), "{path}");
    }
    assert_eq!(get(&world, "/api/v1/me", Some(&world.ana)).body, get(&tomorrow, "/api/v1/me", Some(&world.ana)).body);
}
