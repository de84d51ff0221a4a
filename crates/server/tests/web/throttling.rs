//! Wrong passwords and codes lead to waits, and strangers cannot lock out the owner.

use testkit::sample::{ANA, BOB};
use testkit::{Answer, Browser, Service};

use super::people::{PASSWORD, later, moved, signed_in, turn_factor_on, world, wrong_code};

fn wrong(browser: &Browser, email: &str) -> Answer {
    browser.sign_in(email, "not the password at all")
}

#[test]
fn after_five_wrong_passwords_a_stranger_waits_and_the_owner_does_not() {
    let world = world();
    let known = signed_in(&world, ANA);
    known.fill("/settings", "/sign-out", &[]);
    let strange = world.browser();
    for attempt in 1..=5 {
        assert_eq!(wrong(&strange, ANA).status, 422, "attempt {attempt}");
    }
    let waiting = wrong(&strange, ANA);
    assert_eq!(waiting.status, 429);
    // A minute after the fifth; the clock of the test is fixed.
    assert_eq!(waiting.header("retry-after"), "61");
    assert_eq!(strange.sign_in(ANA, PASSWORD).status, 429, "the right password waits, too");
    assert_eq!(strange.sign_in(BOB, PASSWORD).status, 303, "another account does not");
    assert_eq!(known.sign_in(ANA, PASSWORD).status, 303, "a known browser does not");
}

#[test]
fn the_wait_ends_and_doubles() {
    let world = world();
    let strange = world.browser();
    for _ in 0..5 {
        wrong(&strange, ANA);
    }
    let node = world.second_node(&later(61));
    let there = moved(&strange, &node);
    assert_eq!(wrong(&there, ANA).status, 422);
    let waiting = there.sign_in(ANA, PASSWORD);
    assert_eq!((waiting.status, waiting.header("retry-after")), (429, "121"));
    let node = world.second_node(&later(61 + 121));
    assert_eq!(moved(&strange, &node).sign_in(ANA, PASSWORD).status, 303);
}

fn ask(service: &Service, from: &str, page: &str, fields: &[(&str, &str)]) -> Answer {
    let browser = service.browser();
    browser.get(page);
    let token = browser.token();
    let fields: Vec<(&str, &str)> = [("_token", token.as_str())].into_iter().chain(fields.iter().copied()).collect();
    browser.post_raw(page, &fields, &[("Sec-Fetch-Site", "same-origin"), ("X-Forwarded-For", from)])
}

#[test]
fn an_ip_address_has_twenty_attempts_a_minute() {
    let service = Service::start_at(testkit::NOW, "127.0.0.0/8");
    service.account(ANA, "EUR", None);
    for number in 0..5 {
        let email = format!("somebody-{number}@example.com");
        let answer = ask(&service, "203.0.113.7", "/sign-in", &[("email", &email), ("password", "x")]);
        assert_eq!(answer.status, 422, "{number}");
    }
    for number in 0..15 {
        let email = format!("nobody-{number}@example.com");
        assert_eq!(ask(&service, "203.0.113.7", "/reset", &[("email", &email)]).status, 303, "{number}");
    }
    for page in ["/sign-in", "/sign-up", "/reset"] {
        let refused = ask(&service, "203.0.113.7", page, &[("email", ANA), ("password", PASSWORD)]);
        assert_eq!(refused.status, 429, "{page}");
        assert!((1..=60).contains(&refused.header("retry-after").parse::<u32>().unwrap()), "{page}");
    }
    assert_eq!(ask(&service, "203.0.113.8", "/sign-in", &[("email", ANA), ("password", "x")]).status, 422, "another address");
}

#[test]
fn a_forwarded_address_from_an_untrusted_proxy_is_ignored() {
    let service = Service::start();
    service.account(ANA, "EUR", None);
    for number in 0..20 {
        let from = format!("203.0.113.{number}");
        assert_eq!(ask(&service, &from, "/reset", &[("email", ANA)]).status, 303);
    }
    assert_eq!(ask(&service, "203.0.113.99", "/reset", &[("email", ANA)]).status, 429);
}

#[test]
fn wrong_codes_lead_to_a_wait_but_not_for_recovery_codes() {
    let world = world();
    let (secret, recovery) = turn_factor_on(&signed_in(&world, ANA));
    let browser = world.browser();
    assert_eq!(browser.sign_in(ANA, PASSWORD).header("location"), "/sign-in/code?next=%2F");
    browser.get("/sign-in/code");
    for attempt in 1..=5 {
        assert_eq!(browser.post("/sign-in/code", &[("code", &wrong_code(&secret, 0))]).status, 422, "attempt {attempt}");
    }
    let waiting = browser.post("/sign-in/code", &[("code", &super::people::code(&secret, 30))]);
    assert_eq!((waiting.status, waiting.header("retry-after")), (429, "61"));
    assert_eq!(browser.post("/sign-in/code", &[("code", &recovery[0])]).status, 303);
    assert!(super::people::is_in(&browser));
}

#[test]
fn wrong_confirmations_lead_to_a_wait_in_that_session_only() {
    let world = world();
    let (browser, other) = (signed_in(&world, ANA), signed_in(&world, ANA));
    browser.get("/confirm");
    for attempt in 1..=5 {
        assert_eq!(browser.post("/confirm", &[("password", "wrong")]).status, 422, "attempt {attempt}");
    }
    let waiting = browser.post("/confirm", &[("password", PASSWORD)]);
    assert_eq!((waiting.status, waiting.header("retry-after")), (429, "61"));
    assert_eq!(other.fill("/confirm", "/confirm", &[("password", PASSWORD)]).status, 303);
}
