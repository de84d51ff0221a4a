//! Links to choose a new password.

use app::authentication::resets;
use testkit::Service;
use testkit::sample::{ANA, BOB};

use super::people::{ANOTHER, PASSWORD, code, is_in, later, moved, signed_in, turn_factor_on, world};

/// The path of a link for Ana.
fn link(service: &Service) -> String {
    let link = service.run(resets::create(&service.app, ANA, "http://example.com")).unwrap();
    link.strip_prefix("http://example.com").unwrap().to_owned()
}

#[test]
fn a_reset_link_works_once_and_ends_every_session_of_its_owner() {
    let world = world();
    let (ana, bob) = (signed_in(&world, ANA), signed_in(&world, BOB));
    let path = link(&world);
    // 43 of 62 letters: 256 bits.
    assert_eq!(path.strip_prefix("/reset/").unwrap().len(), 43);
    let browser = world.browser();
    assert_eq!(browser.get(&path).status, 200);
    assert_eq!(browser.post(&path, &[("password", "too short")]).status, 422, "and the link is still good");
    let answer = browser.post(&path, &[("password", ANOTHER)]);
    assert_eq!((answer.status, answer.header("location")), (303, "/sign-in"));
    assert_eq!(browser.cookie("__Host-s"), None, "nobody is signed in by a link");
    assert_eq!(world.browser().get(&path).status, 404);
    assert_eq!(browser.post(&path, &[("password", PASSWORD)]).status, 404);
    assert!(!is_in(&ana) && is_in(&bob));
    assert_eq!(world.browser().sign_in(ANA, PASSWORD).status, 422);
    assert_eq!(world.browser().sign_in(ANA, ANOTHER).status, 303);
    assert_eq!(world.browser().sign_in(BOB, ANOTHER).status, 422);
    assert_eq!(world.browser().sign_in(BOB, PASSWORD).status, 303);
}

#[test]
fn a_reset_link_is_valid_for_half_an_hour() {
    let world = world();
    let path = link(&world);
    assert_eq!(world.second_node(&later(30 * 60 - 1)).browser().get(&path).status, 200);
    let node = world.second_node(&later(30 * 60));
    let browser = node.browser();
    assert_eq!(browser.get(&path).status, 404);
    assert_eq!(browser.fill("/sign-in", &path, &[("password", ANOTHER)]).status, 404);
    assert_eq!(world.browser().sign_in(ANA, PASSWORD).status, 303);
}

#[test]
fn a_used_reset_link_looks_like_one_that_never_existed() {
    let world = world();
    let path = link(&world);
    let browser = world.browser();
    browser.fill(&path, &path, &[("password", ANOTHER)]);
    let never = format!("/reset/{}", "x".repeat(43));
    let plain = |path: &str| super::other_users_data::plain(&world.browser().get(path), &[path.trim_start_matches("/reset/")]);
    assert_eq!(plain(&path), plain(&never));
}

#[test]
fn a_reset_link_does_not_skip_the_second_factor() {
    let world = world();
    let (secret, _) = turn_factor_on(&signed_in(&world, ANA));
    let path = link(&world);
    assert_eq!(world.browser().fill(&path, &path, &[("password", ANOTHER)]).status, 303);
    let browser = world.browser();
    assert_eq!(browser.sign_in(ANA, ANOTHER).header("location"), "/sign-in/code?next=%2F");
    assert!(!is_in(&browser));
    let node = world.second_node(&later(60));
    let there = moved(&browser, &node);
    assert_eq!(there.fill("/sign-in/code", "/sign-in/code", &[("code", &code(&secret, 60))]).status, 303);
    assert!(is_in(&there));
}
