//! Which passwords are accepted, that they are used as typed, and that rating them does not delay others.

use std::time::{Duration, Instant};

use testkit::Service;
use testkit::sample::ANA;

use super::people::{ANOTHER, PASSWORD, later, moved, signed_in, world};

fn sign_up(service: &Service, email: &str, password: &str) -> u16 {
    service.browser().fill("/sign-up", "/sign-up", &[("email", email), ("password", password), ("currency", "EUR")]).status
}

/// With an account already there, because the first one is created on another page.
fn service() -> Service {
    let service = Service::start();
    service.account("first@example.com", "EUR", None);
    service
}

#[test]
fn a_password_has_fifteen_characters_to_1024_bytes() {
    let service = service();
    let filled_to = |bytes: usize| {
        format!("{}{}", super::people::PASSWORD, "é!".repeat(600))
            .chars()
            .scan(0, |length, letter| {
                *length += letter.len_utf8();
                (*length <= bytes).then_some(letter)
            })
            .collect::<String>()
    };
    let (longest, longer) = (filled_to(1024), format!("{}x", filled_to(1024)));
    assert_eq!((longest.len(), longer.len()), (1024, 1025));
    let cases = [
        ("vexq-plum-tide", 422),
        ("vexq-plum-tidal", 303),
        ("ünüs-plüm-tidäl", 303),
        (longest.as_str(), 303),
        (longer.as_str(), 422),
    ];
    for (number, (password, status)) in cases.into_iter().enumerate() {
        let email = format!("somebody-{number}@example.com");
        assert_eq!(sign_up(&service, &email, password), status, "{password:.20}, {} bytes", password.len());
        let signed_in = service.browser().sign_in(&email, password).status;
        assert_eq!(signed_in, if status == 303 { 303 } else { 422 }, "{password:.20}");
    }
}

#[test]
fn common_passwords_are_refused() {
    let service = service();
    let common = [
        "passwordpassword",
        "123456789012345",
        "aaaaaaaaaaaaaaaaaaaa",
        "qwertyuiopasdfghjkl",
        "dividendportfolio",
        "ludmila.berenice@example.com",
        "letmeinletmeinletmein",
    ];
    for password in common {
        assert_eq!(sign_up(&service, "ludmila.berenice@example.com", password), 422, "{password}");
    }
}

#[test]
fn a_password_is_neither_trimmed_nor_truncated() {
    let service = service();
    let long = format!("  {}{}  ", super::people::PASSWORD, "!".repeat(200));
    assert_eq!(sign_up(&service, "somebody@example.com", &long), 303);
    for other in [long.trim(), &long[..72], &long[..long.len() - 1]] {
        assert_eq!(service.browser().sign_in("somebody@example.com", other).status, 422);
    }
    assert_eq!(service.browser().sign_in("somebody@example.com", &long).status, 303);
}

/// Symbols that can all stand for letters: many ways to read it.
fn costly() -> String {
    "4@8({[<369&#!1/|0$5+7%2".chars().cycle().take(100).collect()
}

/// The longest request of another user while eight sign up with this password.
fn held_up(service: &Service, token: &str, password: &str) -> Duration {
    std::thread::scope(|scope| {
        let signing_up: Vec<_> =
            (0..8).map(|number| scope.spawn(move || sign_up(service, &format!("{number}@example.com"), password))).collect();
        let mut longest = Duration::ZERO;
        while !signing_up.iter().all(|one| one.is_finished()) {
            let start = Instant::now();
            assert_eq!(service.get("/api/v1/me", Some(token)).status, 200);
            longest = longest.max(start.elapsed());
        }
        longest
    })
}

#[test]
fn a_password_that_is_costly_to_rate_does_not_delay_others() {
    // One service each, so that the limit of an address is not in the way.
    let (plain, costly_one) = (service(), service());
    let tokens = [&plain, &costly_one].map(|service| service.account(ANA, "EUR", None));
    sign_up(&plain, "warm@example.com", PASSWORD);
    let with_words = held_up(&plain, &tokens[0], PASSWORD);
    let with_symbols = held_up(&costly_one, &tokens[1], &costly());
    assert!(with_symbols < with_words * 10, "{with_symbols:?} beside symbols, {with_words:?} beside words");
}

#[test]
fn changing_a_password_is_limited_by_account_and_by_address() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let change = |browser: &testkit::Browser| {
        browser.fill("/settings/security", "/settings/security/password", &[("password", "passwordpassword")])
    };
    for attempt in 1..=5 {
        assert_eq!(change(&ana).status, 422, "attempt {attempt}");
    }
    let waiting = change(&ana);
    assert_eq!((waiting.status, waiting.header("retry-after")), (429, "61"));
    assert!(waiting.text().contains("Personal access tokens"), "the form is there again");
    let node = world.second_node(&later(61));
    let there = moved(&ana, &node);
    assert_eq!(there.fill("/settings/security", "/settings/security/password", &[("password", ANOTHER)]).status, 303);
    // The limit by address, for any account, after twenty attempts of any kind.
    let bob = signed_in(&world, testkit::sample::BOB);
    for _ in 0..20 {
        world.browser().fill("/reset", "/reset", &[("email", "nobody@example.com")]);
    }
    let refused = change(&bob);
    assert_eq!(refused.status, 429);
    assert!((1..=60).contains(&refused.header("retry-after").parse::<u32>().unwrap()));
}
