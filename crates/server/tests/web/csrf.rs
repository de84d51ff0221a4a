//! Forms that do not come from our own page in the same browser change nothing; neither do GET requests.

use app::accounts::audit;
use app::authentication::sessions;
use testkit::sample::{ANA, BOB, World};

use super::people::{self, signed_in, world};
use super::routes::{all, filled};

const OWN: (&str, &str) = ("Sec-Fetch-Site", "same-origin");

/// Everything a change would affect: API tags, sessions, audit log.
fn state(world: &World) -> Vec<String> {
    let paths = ["me", "portfolios", "holdings", "dividends", "income", "upcoming?days=120", "status", "transactions", "radar"];
    let tag = |path: &str, token: &str| world.get(&format!("/api/v1/{path}"), Some(token)).header("etag").to_owned();
    let mut state: Vec<String> = paths.iter().flat_map(|path| [tag(path, &world.ana), tag(path, &world.bob)]).collect();
    assert!(state.iter().all(|tag| !tag.is_empty()));
    for email in [ANA, BOB] {
        let id = world.user_id(email);
        state.push(format!("{:?}", world.run(sessions::list(&world.app, id)).unwrap()));
        state.push(format!("{:?}", world.run(audit::list(&world.app, id, 1_000)).unwrap()));
        state.push(format!("{:?}", world.run(app::stocks::radar::list(&world.app, id)).unwrap()));
        state.push(format!("{:?}", world.run(app::authentication::feeds::list(&world.app, id)).unwrap()));
    }
    state
}

#[test]
fn a_form_from_another_site_is_refused_on_every_route() {
    let world = world();
    let (ana, bob) = (signed_in(&world, ANA), signed_in(&world, BOB));
    ana.get("/settings");
    bob.get("/settings");
    let stranger = world.browser();
    stranger.get("/sign-in");
    let (token, others, formers) = (ana.token(), bob.token(), stranger.token());
    let before = state(&world);
    let wrong = format!("{}0", &token[..token.len() - 1]);
    let cases: [(&str, &str, people::Pairs<'_>); 12] = [
        ("another site", &token, &[("Sec-Fetch-Site", "cross-site")]),
        ("a neighbour", &token, &[("Sec-Fetch-Site", "same-site")]),
        ("a typed address", &token, &[("Sec-Fetch-Site", "none")]),
        ("another site, with our origin", &token, &[("Sec-Fetch-Site", "cross-site"), ("Origin", "http://127.0.0.1")]),
        ("neither metadata nor origin", &token, &[]),
        ("another origin", &token, &[("Origin", "https://evil.example")]),
        ("no origin", &token, &[("Origin", "null")]),
        ("another port", &token, &[("Origin", "http://127.0.0.1:1")]),
        ("no token", "", &[OWN]),
        ("a token with another end", if wrong == token { "x" } else { &wrong }, &[OWN]),
        ("a token of another user", &others, &[OWN]),
        ("a token from before signing in", &formers, &[OWN]),
    ];
    for route in all().iter().filter(|route| route.post) {
        let path = filled(route.path, "x");
        for (what, token, headers) in &cases {
            let fields = [
                ("_token", *token),
                ("email", "eve@example.com"),
                ("password", people::ANOTHER),
                ("currency", "USD"),
                ("idle", "60"),
            ];
            let fields = if token.is_empty() { &fields[1..] } else { &fields[..] };
            let status = ana.post_raw(&path, fields, headers).status;
            // A route that takes files refuses a form without one before it looks for the token.
            assert!(status == 403 || status == 415 && headers.contains(&OWN), "{status} of {path} with {what}");
        }
    }
    assert_eq!(state(&world), before);
    let fields = [("_token", token.as_str()), ("currency", "USD"), ("idle", "60")];
    let origin = format!("http://{}", world.address);
    assert_eq!(ana.post_raw("/settings/profile", &fields, &[("Origin", &origin)]).status, 303, "our own origin will do");
    assert_ne!(state(&world), before, "the state shows a change");
}

#[test]
fn get_requests_change_nothing() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let cookie = format!("__Host-s={}", people::session(&ana));
    let before = state(&world);
    for route in all() {
        let path = filled(route.path, "x");
        for method in ["GET", "HEAD", "OPTIONS"] {
            world.request(method, &path, None, &[("Cookie", &cookie), OWN]);
        }
    }
    assert_eq!(state(&world), before);
    assert!(people::is_in(&ana));
}

#[test]
fn a_form_from_before_signing_in_or_out_is_void() {
    let world = world();
    let browser = world.browser();
    browser.get("/sign-in");
    let stale = browser.token();
    browser.sign_in(ANA, people::PASSWORD);
    assert_eq!(browser.post_raw("/sign-out", &[("_token", &stale)], &[OWN]).status, 403);
    browser.get("/settings");
    let of_session = browser.token();
    assert_eq!(browser.post("/sign-out", &[]).status, 303);
    let fields = [("_token", of_session.as_str()), ("email", ANA), ("password", people::PASSWORD)];
    assert_eq!(browser.post_raw("/sign-in", &fields, &[OWN]).status, 403);
}

#[test]
fn a_forged_form_is_counted_by_its_reason() {
    let world = world();
    let ana = signed_in(&world, ANA);
    ana.get("/settings");
    let token = ana.token();
    let counted = |reason: &str| {
        let line = format!("dripline_denials_total{{reason=\"{reason}\"}} ");
        world.metrics(None).lines().find_map(|found| found.strip_prefix(&line)?.parse::<u64>().ok()).unwrap()
    };
    let before = (counted("origin"), counted("form_token"), counted("sign_in"));
    assert_eq!(ana.post_raw("/sign-out", &[("_token", &token)], &[("Sec-Fetch-Site", "cross-site")]).status, 403);
    assert_eq!(ana.post_raw("/sign-out", &[("_token", "forged")], &[OWN]).status, 403);
    assert_eq!(ana.post_raw("/sign-out", &[], &[OWN]).status, 403);
    assert_eq!(world.browser().sign_in(ANA, "not the password of anybody").status, 422);
    assert_eq!(world.browser().sign_in("nobody@example.com", "not the password of anybody").status, 422);
    assert_eq!((counted("origin"), counted("form_token"), counted("sign_in")), (before.0 + 1, before.1 + 2, before.2 + 2));
}
