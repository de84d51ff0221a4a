use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use app::accounts;
use app::authentication::tokens;
use testkit::sample::{ANA, World};
use testkit::{NOW, Service};

use super::contract::{ask, error, get, ok};

pub const PRIVATE: [&str; 13] = [
    "/api/v1/me",
    "/api/v1/portfolios",
    "/api/v1/status",
    "/api/v1/holdings",
    "/api/v1/valuation",
    "/api/v1/dividends",
    "/api/v1/received",
    "/api/v1/transactions",
    "/api/v1/income",
    "/api/v1/upcoming",
    "/api/v1/radar",
    "/api/v1/whatif?symbol=QTR&shares=10",
    "/api/v1/explain?figure=annual_income",
];
pub const LIMITED: [&str; 3] = ["/api/v1/calendar", "/api/v1/stocks?q=qtr", "/api/v1/stocks/QTR"];

/// A well-formed token with a valid checksum that belongs to nobody.
pub fn unknown_token() -> String {
    Service::start().account("elsewhere@example.com", "EUR", None)
}

/// Revokes the only token of the account.
pub fn revoke(service: &Service, email: &str) {
    let id = service.run(tokens::list(&service.app, service.user_id(email))).unwrap()[0].id.to_string();
    service.run(tokens::revoke(&service.app, &id)).unwrap();
}

#[test]
fn a_private_endpoint_without_a_token_is_unauthorized_and_says_where_to_get_one() {
    let world = World::start();
    let metadata = format!("http://{}/.well-known/oauth-protected-resource/api/v1", world.address);
    for path in PRIVATE {
        let answer = get(&world, path, None);
        assert_eq!((answer.status, answer.error_code().as_str()), (401, "unauthorized"), "{path}");
        let challenge = answer.header("www-authenticate");
        assert!(
            challenge.starts_with("Bearer ") && challenge.contains(&format!("resource_metadata=\"{metadata}\"")),
            "{challenge}"
        );
    }
}

#[test]
fn every_cause_of_unauthorized_has_the_same_answer() {
    let world = World::start();
    let mut edited = world.ana.clone();
    edited.replace_range(20..21, if &edited[20..21] == "a" { "b" } else { "a" });
    let expired = world.expiring_token(ANA, "2026-11-15T12:00:00Z");
    let revoked = world.account("gone@example.com", "EUR", None);
    revoke(&world, "gone@example.com");
    let deleted = world.account("deleted@example.com", "EUR", None);
    world.run(accounts::delete(&world.app, "deleted@example.com")).unwrap();
    let bearer = |token: &str| format!("Bearer {token}");
    let causes = [
        bearer("junk"),
        bearer(&edited),
        bearer(&unknown_token()),
        bearer(&expired),
        bearer(&revoked),
        bearer(&deleted),
        bearer(&world.ana.to_uppercase()),
        format!("Basic {}", world.ana),
        format!("Bearer{}", world.ana),
        format!("Bearer {} {}", world.ana, world.ana),
        world.ana.clone(),
        String::new(),
    ];
    let missing = get(&world, "/api/v1/me", None);
    // The error is given only if a token was sent (RFC 6750, section 3).
    assert!(!missing.header("www-authenticate").contains("error"), "{}", missing.header("www-authenticate"));
    let challenge = format!("{}, error=\"invalid_token\"", missing.header("www-authenticate"));
    for cause in causes {
        let answer = ask(&world, "GET", "/api/v1/me", None, &[("Authorization", &cause)]);
        assert_eq!((answer.status, &answer.body), (401, &missing.body), "{cause}");
        assert_eq!(answer.header("www-authenticate"), challenge, "{cause}");
        assert_eq!(answer.header("etag"), missing.header("etag"), "{cause}");
    }
    let twice = [("Authorization", bearer(&world.ana)), ("Authorization", bearer(&world.ana))];
    let twice: Vec<(&str, &str)> = twice.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(ask(&world, "GET", "/api/v1/me", None, &twice).body, missing.body);
}

#[test]
fn the_scheme_word_is_case_insensitive() {
    let world = World::start();
    for scheme in ["Bearer", "bearer", "BEARER"] {
        let header = format!("{scheme} {}", world.ana);
        assert_eq!(ask(&world, "GET", "/api/v1/me", None, &[("Authorization", &header)]).status, 200, "{scheme}");
    }
}

#[test]
fn a_token_works_until_it_expires() {
    let world = World::start();
    let lives = world.expiring_token(ANA, "2026-11-15T12:00:01Z");
    assert_eq!(get(&world, "/api/v1/me", Some(&lives)).status, 200);
    let later = world.second_node("2026-11-15T12:00:01Z");
    error(&later, "/api/v1/me", Some(&lives), 401, "unauthorized");
    assert_eq!(get(&later, "/api/v1/calendar", Some(&lives)).header("cache-control"), "public, max-age=60");
}

#[test]
fn an_invalid_token_is_anonymous_on_public_endpoints() {
    let world = World::start();
    let revoked = world.account("gone@example.com", "EUR", None);
    revoke(&world, "gone@example.com");
    for path in LIMITED.into_iter().chain(["/api/v1/openapi.json"]) {
        let anonymous = get(&world, path, None);
        for token in ["junk", &unknown_token(), &revoked] {
            let answer = get(&world, path, Some(token));
            assert_eq!((answer.status, &answer.body), (200, &anonymous.body), "{path}");
            assert_eq!(answer.header("cache-control"), "public, max-age=60", "{path}");
            assert_eq!(answer.headers.contains_key("ratelimit"), anonymous.headers.contains_key("ratelimit"), "{path}");
        }
    }
}

#[test]
fn a_token_changes_the_answer_of_search_and_single_stock_only() {
    let world = World::start();
    let differs = |path: &str| get(&world, path, None).body != get(&world, path, Some(&world.ana)).body;
    assert!(differs("/api/v1/stocks/QTR") && differs("/api/v1/stocks?q=hid"));
    assert!(!differs("/api/v1/calendar") && !differs("/api/v1/openapi.json"));
}

#[test]
fn a_disabled_account_is_forbidden_on_private_endpoints_and_anonymous_on_public_ones() {
    let world = World::start();
    world.run(accounts::set_disabled(&world.app, ANA, true)).unwrap();
    for path in PRIVATE {
        error(&world, path, Some(&world.ana), 403, "forbidden");
    }
    assert_eq!(ok(&world, "/api/v1/stocks/QTR", Some(&world.ana))["dividend"]["annual"], serde_json::Value::Null);
    let calendar = get(&world, "/api/v1/calendar", Some(&world.ana));
    assert!(calendar.status == 200 && calendar.headers.contains_key("ratelimit"));
    assert_eq!(get(&world, "/api/v1/me", Some(&world.bob)).status, 200, "others are not touched");
    world.run(accounts::set_disabled(&world.app, ANA, false)).unwrap();
    assert_eq!(get(&world, "/api/v1/me", Some(&world.ana)).status, 200);
}

#[test]
fn no_request_succeeds_after_a_revocation() {
    const AFTERWARDS: usize = 25;
    let world = World::start();
    let revoked = AtomicBool::new(false);
    let before = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let asking: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let mut refused = 0;
                    while refused < AFTERWARDS {
                        let sent_afterwards = revoked.load(Ordering::SeqCst);
                        let status = get(&world, "/api/v1/me", Some(&world.ana)).status;
                        match (sent_afterwards, status) {
                            (true, _) => assert_eq!((status, { refused += 1 }), (401, ()), "sent after the revocation"),
                            (false, 200) => drop(before.fetch_add(1, Ordering::SeqCst)),
                            (false, _) => assert_eq!(status, 401),
                        }
                    }
                })
            })
            .collect();
        while before.load(Ordering::SeqCst) < 80 {
            assert!(!asking.iter().any(|thread| thread.is_finished()), "a thread gave up before the revocation");
            std::thread::yield_now();
        }
        revoke(&world, ANA);
        revoked.store(true, Ordering::SeqCst);
    });
    assert_eq!(get(&world, "/api/v1/me", Some(&world.bob)).status, 200, "other tokens go on");
}

#[test]
fn a_revocation_holds_at_once_on_another_node_too() {
    let world = World::start();
    let other = world.second_node(NOW);
    assert_eq!(get(&other, "/api/v1/me", Some(&world.ana)).status, 200);
    revoke(&world, ANA);
    for path in PRIVATE {
        error(&other, path, Some(&world.ana), 401, "unauthorized");
    }
}

#[test]
fn last_use_is_kept_to_the_minute_and_written_at_most_once_in_it() {
    let service = Service::start_at("2026-11-15T12:34:56Z", "");
    let token = service.account("x@example.com", "EUR", None);
    let last_used =
        |service: &Service| service.run(tokens::list(&service.app, service.user_id("x@example.com"))).unwrap()[0].last_used_at;
    for _ in 0..20 {
        get(&service, "/api/v1/me", Some(&token));
    }
    assert_eq!(last_used(&service), None, "no request writes");
    assert_eq!(service.run(tokens::save_last_used(&service.app)).unwrap(), 1);
    let minute: jiff::Timestamp = "2026-11-15T12:34:00Z".parse().unwrap();
    assert_eq!(last_used(&service), Some(minute.as_microsecond()));
    for _ in 0..20 {
        get(&service, "/api/v1/me", Some(&token));
    }
    assert_eq!(service.run(tokens::save_last_used(&service.app)).unwrap(), 0, "a second write in the same minute");
    let later = service.second_node("2026-11-15T12:35:00Z");
    get(&later, "/api/v1/calendar", Some(&token));
    later.tamper("ALTER TABLE tokens RENAME COLUMN last_used_at TO gone");
    later.run(tokens::save_last_used(&later.app)).unwrap_err();
    later.tamper("ALTER TABLE tokens RENAME COLUMN gone TO last_used_at");
    later.run(tokens::save_last_used(&later.app)).unwrap();
    assert_eq!(last_used(&later), Some(minute.as_microsecond() + 60_000_000), "what could not be saved is saved the next time");
}

#[test]
fn a_personal_token_is_named_shown_once_and_stored_as_a_hash_only() {
    let world = World::start();
    assert!(world.ana.starts_with("drip_pat_") && world.ana.len() == 45);
    for bad in ["", "  ", &"x".repeat(101)] {
        assert!(world.run(tokens::create(&world.app, world.user_id(ANA), bad)).is_err(), "{bad:?}");
    }
    assert!(!world.contains_text(&world.ana) && world.contains_text(ANA), "what is looked for is found");
}

#[test]
fn a_user_has_25_live_tokens_at_most() {
    let service = Service::start();
    service.account("x@example.com", "EUR", None);
    for number in 2..=25 {
        service.run(tokens::create(&service.app, service.user_id("x@example.com"), &format!("token {number}"))).unwrap();
    }
    assert!(service.run(tokens::create(&service.app, service.user_id("x@example.com"), "one more")).is_err());
    revoke(&service, "x@example.com");
    let next = service.run(tokens::create(&service.app, service.user_id("x@example.com"), "one more")).unwrap().token;
    assert_eq!(get(&service, "/api/v1/me", Some(&next)).status, 200);
}
