//! A session's secret is rotated with its privileges and invalid as soon as it ends.

use app::accounts;
use testkit::sample::{ANA, BOB};

use super::people::{ANOTHER, PASSWORD, Pairs, is_in, later, moved, session, signed_in, with_session, world};

const MINUTE: i64 = 60;
const DAY: i64 = 24 * 60 * MINUTE;

#[test]
fn signing_in_sets_a_new_session_secret() {
    let world = world();
    let browser = world.browser();
    let planted = "p".repeat(43);
    browser.set_cookie("__Host-s", &planted);
    assert_eq!(browser.sign_in(ANA, PASSWORD).status, 303);
    assert_ne!(session(&browser), planted);
    assert!(!is_in(&with_session(&world, &planted)));
    let first = session(&browser);
    let again = signed_in(&world, ANA);
    assert_ne!(session(&again), first);
}

#[test]
fn confirming_the_password_rotates_the_session() {
    let world = world();
    let browser = signed_in(&world, ANA);
    let before = session(&browser);
    assert_eq!(
        browser.fill("/confirm", "/confirm", &[("password", PASSWORD), ("next", "/settings")]).header("location"),
        "/settings"
    );
    assert_ne!(session(&browser), before);
    assert!(is_in(&browser));
    assert!(!is_in(&with_session(&world, &before)));
}

#[test]
fn a_wrong_password_does_not_confirm_the_session() {
    let world = world();
    let browser = signed_in(&world, ANA);
    let before = session(&browser);
    let node = world.second_node(&later(11 * MINUTE));
    let there = moved(&browser, &node);
    assert_eq!(there.fill("/confirm", "/confirm", &[("password", "wrong")]).status, 422);
    assert_eq!(session(&there), before);
    there.get("/settings/security");
    let answer = there.post("/settings/security/password", &[("password", ANOTHER)]);
    assert_eq!(answer.header("location"), "/confirm?next=%2Fsettings%2Fsecurity");
}

#[test]
fn changing_the_password_rotates_the_session_and_ends_the_others() {
    let world = world();
    let (here, elsewhere, bob) = (signed_in(&world, ANA), signed_in(&world, ANA), signed_in(&world, BOB));
    let before = session(&here);
    let answer = here.fill("/settings/security", "/settings/security/password", &[("password", ANOTHER)]);
    assert_eq!((answer.status, answer.header("location")), (303, "/settings/security"));
    assert_ne!(session(&here), before);
    assert!(is_in(&here) && is_in(&bob));
    assert!(!is_in(&with_session(&world, &before)) && !is_in(&elsewhere));
    assert_eq!(world.browser().sign_in(ANA, PASSWORD).status, 422);
    assert_eq!(world.browser().sign_in(ANA, ANOTHER).status, 303);
}

#[test]
fn an_unused_session_ends_after_a_week_and_any_after_thirty_days() {
    let world = world();
    let browser = signed_in(&world, ANA);
    let at = |seconds: i64| is_in(&moved(&browser, &world.second_node(&later(seconds))));
    assert!(!at(7 * DAY));
    // Each visit counts from then on: six days, five times.
    for visit in 1..=4 {
        assert!(at(visit * 6 * DAY), "day {}", visit * 6);
    }
    assert!(at(30 * DAY - 1));
    assert!(!at(30 * DAY));
}

#[test]
fn what_ends_a_session_ends_it_on_every_node() {
    let world = world();
    let node = world.second_node(testkit::NOW);
    let (here, elsewhere) = (signed_in(&world, ANA), signed_in(&world, ANA));
    assert!(is_in(&moved(&elsewhere, &node)));
    assert_eq!(here.fill("/settings/security", "/settings/security/end-others", &[]).status, 303);
    assert!(!is_in(&moved(&elsewhere, &node)) && !is_in(&elsewhere));
    assert!(is_in(&here) && is_in(&moved(&here, &node)));
}

#[test]
fn signing_out_ends_the_session_and_clears_the_browser() {
    let world = world();
    let browser = signed_in(&world, ANA);
    let before = session(&browser);
    let answer = browser.fill("/settings", "/sign-out", &[]);
    assert_eq!((answer.status, answer.header("location")), (303, "/sign-in"));
    assert_eq!(answer.header("clear-site-data"), "\"cache\", \"storage\"");
    assert_eq!(browser.cookie("__Host-s"), None);
    assert!(!is_in(&with_session(&world, &before)));
}

#[test]
fn disabling_an_account_ends_its_sessions_at_once() {
    let world = world();
    let (ana, bob) = (signed_in(&world, ANA), signed_in(&world, BOB));
    world.run(accounts::set_disabled(&world.app, ANA, true)).unwrap();
    assert!(!is_in(&ana) && is_in(&bob));
    assert_eq!(world.browser().sign_in(ANA, PASSWORD).status, 422);
    world.run(accounts::set_disabled(&world.app, ANA, false)).unwrap();
    assert!(!is_in(&ana), "whoever was signed in has to sign in again");
    assert!(is_in(&signed_in(&world, ANA)));
}

#[test]
fn sensitive_actions_ask_for_the_password_after_ten_minutes() {
    let world = world();
    let browser = signed_in(&world, ANA);
    let node = world.second_node(&later(10 * MINUTE));
    assert_eq!(
        moved(&browser, &node).fill("/settings/security", "/settings/security/factor", &[]).header("location"),
        "/settings/security/factor"
    );
    let node = world.second_node(&later(10 * MINUTE + 1));
    let there = moved(&browser, &node);
    let cases: [(&str, &str, Pairs<'_>); 8] = [
        ("/settings/security", "password", &[("password", ANOTHER)]),
        ("/settings/security", "email", &[("email", "new@example.com")]),
        ("/settings/security", "factor", &[]),
        ("/settings/security", "factor-off", &[]),
        ("/settings/security", "codes", &[]),
        ("/settings/security/factor", "confirm", &[("code", "123456")]),
        ("/settings/data", "export", &[]),
        ("/settings/data", "delete", &[("email", ANA)]),
    ];
    for (page, act, fields) in cases {
        there.get("/settings");
        let answer = there.post(&format!("{page}/{act}"), fields);
        let to = format!("/confirm?next={}", page.replace('/', "%2F"));
        assert_eq!((answer.status, answer.header("location")), (303, to.as_str()), "{page}/{act}");
    }
    assert_eq!(there.get("/settings/security/factor").header("location"), "/confirm?next=%2Fsettings%2Fsecurity%2Ffactor");
    let confirmed = there.fill("/confirm", "/confirm", &[("password", PASSWORD), ("next", "/settings/data")]);
    assert_eq!(confirmed.header("location"), "/settings/data");
    assert_eq!(there.fill("/settings/data", "/settings/data/export", &[]).header("content-type"), "application/zip");
}

#[test]
fn signing_in_never_redirects_to_another_site() {
    let world = world();
    let browser = world.browser();
    assert_eq!(browser.get("/settings/security").header("location"), "/sign-in?next=%2Fsettings%2Fsecurity");
    for (next, to) in
        [("/settings/security", "/settings/security"), ("//evil.example", "/"), ("https://evil.example", "/"), ("/\\evil", "/")]
    {
        let browser = world.browser();
        let answer = browser.fill("/sign-in", "/sign-in", &[("email", ANA), ("password", PASSWORD), ("next", next)]);
        assert_eq!((answer.status, answer.header("location")), (303, to), "{next}");
    }
}
