//! The second factor, from its QR code to its recovery codes.

use testkit::sample::{ANA, BOB};

use super::people::{
    PASSWORD, code, is_in, later, moved, recovery_codes, session, signed_in, turn_factor_on, with_session, world, wrong_code,
};

const FACTOR: &str = "/settings/security/factor";

#[test]
fn a_second_factor_is_on_once_its_first_code_was_entered() {
    let world = world();
    let (ana, elsewhere) = (signed_in(&world, ANA), signed_in(&world, ANA));
    assert_eq!(ana.get(FACTOR).header("location"), "/settings/security", "nothing is being set up");
    assert_eq!(ana.fill("/settings/security", FACTOR, &[]).header("location"), FACTOR);
    let page = ana.get(FACTOR);
    assert!(page.text().contains("<svg viewBox") && page.header("cache-control") == "no-store");
    let secret = super::people::between(&page.text(), "<code id=\"secret\">", "<");
    assert_eq!(ana.post("/settings/security/factor/confirm", &[("code", &wrong_code(&secret, 0))]).status, 422);
    assert_eq!(world.browser().sign_in(ANA, PASSWORD).header("location"), "/", "not yet");
    let before = session(&ana);
    let answer = ana.post("/settings/security/factor/confirm", &[("code", &code(&secret, 0))]);
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
    let codes = recovery_codes(&answer);
    assert_eq!(codes.len(), 10);
    // 24 letters of 32: 120 bits.
    assert!(codes.iter().all(|code| code.replace('-', "").len() == 24));
    assert_ne!(session(&ana), before);
    assert!(!is_in(&with_session(&world, &before)) && !is_in(&elsewhere) && is_in(&ana));
    let token = super::people::between(&answer.text(), "name=\"_token\" value=\"", "\"");
    let theme = ana.post_raw("/theme", &[("_token", &token), ("theme", "dark")], &[("Sec-Fetch-Site", "same-origin")]);
    assert_eq!(theme.status, 303, "the forms of the page with the codes belong to the session that goes on");
    for page in ["/settings/security", FACTOR] {
        let text = ana.get(page).text();
        assert!(!text.contains(&secret) && codes.iter().all(|code| !text.contains(code.as_str())), "shown once");
    }
    assert_eq!(ana.fill("/settings/security", FACTOR, &[]).status, 422, "it is on already");
}

#[test]
fn signing_in_takes_a_code_and_each_code_once() {
    let world = world();
    let (secret, recovery) = turn_factor_on(&signed_in(&world, ANA));
    let node = world.second_node(&later(60));
    let asked = || {
        let browser = node.browser();
        assert_eq!(browser.sign_in(ANA, PASSWORD).header("location"), "/sign-in/code?next=%2F");
        assert!(!is_in(&browser), "the password alone opens nothing");
        browser.get("/sign-in/code");
        browser
    };
    let (first, second) = (asked(), asked());
    let pending = session(&first);
    assert_eq!(first.post("/sign-in/code", &[("code", &code(&secret, 60))]).header("location"), "/");
    assert!(is_in(&first) && session(&first) != pending);
    assert_eq!(second.post("/sign-in/code", &[("code", &code(&secret, 60))]).status, 422, "used already");
    assert_eq!(second.post("/sign-in/code", &[("code", &recovery[3].to_uppercase())]).status, 303);
    let third = asked();
    assert_eq!(third.post("/sign-in/code", &[("code", &recovery[3])]).status, 422, "used already");
    assert!(second.get("/settings/security").text().contains("9 recovery codes left."));
    assert_eq!(world.browser().sign_in(BOB, PASSWORD).header("location"), "/", "nobody else is asked");
    let late = world.second_node(&later(60 + 601));
    assert_eq!(moved(&third, &late).get("/sign-in/code").header("location"), "/sign-in", "the code is waited for ten minutes");
}

#[test]
fn confirming_takes_the_code_too() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let (secret, _) = turn_factor_on(&ana);
    let node = world.second_node(&later(660));
    let there = moved(&ana, &node);
    assert!(there.get("/confirm").text().contains("name=\"code\""));
    assert_eq!(there.post("/confirm", &[("password", PASSWORD)]).status, 422);
    assert_eq!(there.post("/confirm", &[("password", PASSWORD), ("code", &code(&secret, 660))]).status, 303);
}

#[test]
fn new_recovery_codes_replace_the_old_ones() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let (_, old) = turn_factor_on(&ana);
    let answer = ana.fill("/settings/security", "/settings/security/codes", &[]);
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
    let new = recovery_codes(&answer);
    assert_eq!(new.iter().filter(|code| !old.contains(code)).count(), 10);
    let browser = world.browser();
    browser.sign_in(ANA, PASSWORD);
    browser.get("/sign-in/code");
    assert_eq!(browser.post("/sign-in/code", &[("code", &old[0])]).status, 422);
    assert_eq!(browser.post("/sign-in/code", &[("code", &new[0])]).status, 303);
    assert_eq!(
        signed_in(&world, BOB).fill("/settings/security", "/settings/security/codes", &[]).status,
        422,
        "without a factor"
    );
}

#[test]
fn without_a_second_factor_the_password_is_enough_again() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let (_, recovery) = turn_factor_on(&ana);
    let before = session(&ana);
    let answer = ana.fill("/settings/security", "/settings/security/factor-off", &[]);
    assert_eq!((answer.status, answer.header("location")), (303, "/settings/security"));
    assert!(session(&ana) != before && is_in(&ana) && !is_in(&with_session(&world, &before)));
    assert_eq!(world.browser().sign_in(ANA, PASSWORD).header("location"), "/");
    let (_, fresh) = turn_factor_on(&ana);
    assert!(fresh.iter().all(|code| !recovery.contains(code)));
}
