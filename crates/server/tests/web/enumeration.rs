//! No answer reveals whether an address has an account.

use app::accounts;
use testkit::sample::{ANA, BOB};
use testkit::{Answer, Service};

use super::people::{ANOTHER, PASSWORD, world};

const NOBODY: &str = "eve@example.com"; // as long as the others, so that lengths can be compared

/// Status, headers and body without random values and the address itself.
fn plain(answer: &Answer, email: &str) -> String {
    let nonce =
        answer.header("content-security-policy").split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap_or("-");
    let mut text = answer.text().replace(nonce, "NONCE").replace(email, "ADDRESS");
    while let Some((before, rest)) = text.split_once("name=\"_token\" value=\"") {
        text = format!("{before}TOKEN{}", rest.split_once('"').unwrap().1);
    }
    let headers: Vec<String> = answer
        .headers
        .iter()
        .filter(|(name, _)| !["date", "etag", "content-length"].contains(&name.as_str()))
        .map(|(name, value)| format!("{name}: {}", value.replace(nonce, "NONCE")))
        .collect();
    format!("{}\n{}\n{text}", answer.status, headers.join("\n"))
}

/// A fresh browser sends a form for the address.
fn ask(service: &Service, page: &str, email: &str, fields: &[(&str, &str)]) -> Answer {
    let browser = service.browser();
    let fields: Vec<(&str, &str)> = [("email", email)].into_iter().chain(fields.iter().copied()).collect();
    browser.fill(page, page, &fields)
}

#[test]
fn signing_in_fails_the_same_way_with_and_without_an_account() {
    let world = world();
    let wrong = [("password", "not the password at all")];
    let (known, unknown) = (ask(&world, "/sign-in", ANA, &wrong), ask(&world, "/sign-in", NOBODY, &wrong));
    assert_eq!(known.status, 422);
    assert_eq!(plain(&known, ANA), plain(&unknown, NOBODY));
    world.run(accounts::set_disabled(&world.app, BOB, true)).unwrap();
    assert_eq!(plain(&ask(&world, "/sign-in", BOB, &[("password", PASSWORD)]), BOB), plain(&unknown, NOBODY), "disabled");
    for _ in 0..4 {
        ask(&world, "/sign-in", ANA, &wrong);
        ask(&world, "/sign-in", NOBODY, &wrong);
    }
    let (known, unknown) = (ask(&world, "/sign-in", ANA, &wrong), ask(&world, "/sign-in", NOBODY, &wrong));
    assert_eq!(known.status, 429);
    assert_eq!(plain(&known, ANA), plain(&unknown, NOBODY));
}

#[test]
fn signing_up_answers_the_same_for_an_existing_account_and_leaves_it_unchanged() {
    let world = world();
    let fields = [("password", ANOTHER), ("currency", "USD"), ("residence", "DE"), ("name", "Somebody")];
    let before = world.get("/api/v1/me", Some(&world.ana)).body;
    let (known, unknown) = (ask(&world, "/sign-up", ANA, &fields), ask(&world, "/sign-up", NOBODY, &fields));
    assert_eq!((known.status, known.header("location")), (303, "/sign-in"));
    assert_eq!(plain(&known, ANA), plain(&unknown, NOBODY));
    assert_eq!(world.get("/api/v1/me", Some(&world.ana)).body, before);
    assert_eq!(world.browser().sign_in(ANA, ANOTHER).status, 422);
    assert_eq!(world.browser().sign_in(ANA, PASSWORD).status, 303);
    assert_eq!(world.browser().sign_in(NOBODY, ANOTHER).status, 303);
    let short = [("password", "short"), ("currency", "USD")];
    let (known, unknown) = (ask(&world, "/sign-up", BOB, &short), ask(&world, "/sign-up", "dan@example.com", &short));
    assert_eq!(known.status, 422);
    assert_eq!(plain(&known, BOB), plain(&unknown, "dan@example.com"));
}

#[test]
fn requesting_a_reset_answers_the_same_with_and_without_an_account() {
    let world = world();
    let (known, unknown) = (ask(&world, "/reset", ANA, &[]), ask(&world, "/reset", NOBODY, &[]));
    assert_eq!((known.status, known.header("location")), (303, "/sign-in"));
    assert_eq!(plain(&known, ANA), plain(&unknown, NOBODY));
}
