//! Denied requests are counted by reason, on every path of a request.

use app::accounts;
use testkit::sample::{ANA, BOB, World};

use super::contract::get;
use super::request_metrics::figure;
use super::tokens::{revoke, unknown_token};

fn denials(world: &World, reason: &str) -> u64 {
    figure(&world.metrics(None), &format!("dripline_denials_total{{reason=\"{reason}\"}}"))
}

#[test]
fn a_token_is_counted_by_why_it_was_refused() {
    let world = World::start();
    let expired = world.expiring_token(ANA, "2026-11-15T12:00:00Z");
    let revoked = world.account("gone@example.com", "EUR", None);
    revoke(&world, "gone@example.com");
    let unknown = unknown_token();
    for _ in 0..3 {
        for token in [&expired, &revoked, &unknown] {
            assert_eq!(get(&world, "/api/v1/income", Some(token)).status, 401);
        }
        for noise in ["drip_pat_noise", "junk", "two words"] {
            assert_eq!(get(&world, "/api/v1/income", Some(noise)).status, 401);
        }
        assert_eq!(world.request("POST", "/mcp", Some(&revoked), &[]).status, 401);
    }
    world.run(accounts::set_disabled(&world.app, BOB, true)).unwrap();
    assert_eq!(get(&world, "/api/v1/me", Some(&world.bob)).status, 403);
    let counts = ["token_expired", "token_revoked", "token_unknown", "token_noise", "account_disabled", "token_many"];
    assert_eq!(counts.map(|reason| denials(&world, reason)), [3, 6, 3, 9, 1, 0]);
    // Who has none is asked for one, and is refused nothing.
    let before: u64 = counts.iter().map(|reason| denials(&world, reason)).sum();
    assert_eq!(get(&world, "/api/v1/me", None).status, 401);
    assert_eq!(get(&world, "/api/v1/me", Some(&world.ana)).status, 200);
    assert_eq!(counts.iter().map(|reason| denials(&world, reason)).sum::<u64>(), before);
}

#[test]
fn in_a_flood_of_tokens_lookups_are_limited_and_all_are_counted() {
    let world = World::start();
    let unknown = unknown_token();
    for _ in 0..620 {
        assert_eq!(get(&world, "/api/v1/me", Some(&unknown)).status, 401);
    }
    let (looked, left) = (denials(&world, "token_unknown"), denials(&world, "token_many"));
    assert_eq!(looked + left, 620);
    assert!(looked >= 600, "{looked} of 620 were looked at");
}

#[test]
fn rate_limited_and_malformed_requests_are_counted_as_denials() {
    let world = World::start();
    for _ in 0..62 {
        get(&world, "/api/v1/calendar", None);
    }
    assert_eq!(denials(&world, "limit"), 2);
    assert_eq!(world.get(&format!("/api/v1/me?x={}", "x".repeat(9_000)), Some(&world.ana)).status, 414);
    assert_eq!(denials(&world, "broken"), 1);
    assert_eq!(world.request("POST", "/mcp", Some(&world.ana), &[("Origin", "https://evil.example")]).status, 403);
    assert_eq!(denials(&world, "origin"), 1);
}
