//! Accounts created with somebody else's address, and how its owner takes over.

use app::accounts::{SignUp, audit, invitations};
use app::authentication::feeds;
use testkit::sample::{ANA, BOB};
use testkit::{Browser, Mailbox, NOW, Service, ServiceOptions};

use super::people::{
    ANOTHER, PASSWORD, between, is_in, later, moved, session, signed_in, turn_factor_on, with_session, world, wrong_code,
};

const VICTIM: &str = "victim@example.com";
const REST: [(&str, &str); 2] = [("password", ANOTHER), ("currency", "EUR")];

fn events(service: &Service, email: &str) -> Vec<String> {
    let rows = service.run(audit::list(&service.app, service.user_id(email), 100)).unwrap();
    rows.into_iter().map(|row| row.event).rev().collect()
}

fn mailing(service: &Service, mailbox: &Mailbox, sign_up: SignUp) -> Service {
    service.second_node_with(NOW, ServiceOptions { sign_up, mailbox: Some(mailbox), ..ServiceOptions::default() })
}

/// A token and the address of a feed, as their pages show them once.
fn token_and_feed(browser: &Browser) -> (String, String) {
    let page = browser.fill("/settings/access", "/settings/access/tokens", &[("name", "mine"), ("days", "")]).text();
    let token = format!("drip_pat_{}", between(&page, "drip_pat_", "<"));
    let page = browser.fill("/settings/access", "/settings/access/feeds", &[("name", "mine")]).text();
    let feed = format!("/feed/drip_cal_{}", between(&page, "/feed/drip_cal_", ".ics"));
    (token, format!("{feed}.ics"))
}

#[test]
fn resetting_the_password_by_mail_ends_all_other_access() {
    let open = Service::start();
    open.account("first@example.com", "EUR", None);
    let thief = open.browser();
    thief.fill("/sign-up", "/sign-up", &[("email", VICTIM), ("password", PASSWORD), ("currency", "EUR")]);
    assert_eq!(thief.sign_in(VICTIM, PASSWORD).status, 303);
    let (token, feed) = token_and_feed(&thief);
    turn_factor_on(&thief);
    assert_eq!((open.get("/api/v1/me", Some(&token)).status, open.browser().get(&feed).status), (200, 200));
    // The operator sets up mail, and the owner of the address arrives.
    let mailbox = Mailbox::open();
    let service = mailing(&open, &mailbox, SignUp::Open);
    let victim = service.browser();
    assert_eq!(victim.fill("/reset", "/reset", &[("email", VICTIM)]).status, 303);
    let link = mailbox.link(VICTIM, "/reset/");
    assert_eq!(victim.fill(&link, &link, &[("password", ANOTHER)]).status, 303);
    assert_eq!(victim.sign_in(VICTIM, ANOTHER).header("location"), "/", "no code is asked for");
    service.import(VICTIM, "date,type,symbol,shares,price,currency\n2026-01-02,buy,KO,10,60,USD\n");
    assert_eq!(service.get("/api/v1/me", Some(&token)).status, 401);
    assert_eq!(service.browser().get(&feed).status, 404);
    assert!(!is_in(&moved(&thief, &service)));
    let seen = events(&service, VICTIM);
    for event in ["password_reset", "session_ended", "token_revoked", "feed_revoked", "totp_off", "email_verified"] {
        assert!(seen.iter().any(|one| one == event), "{event} in {seen:?}");
    }
    // What is set up from now on is the owner's, and stays.
    let (secret, _) = turn_factor_on(&victim);
    assert_eq!(service.browser().fill("/reset", "/reset", &[("email", VICTIM)]).status, 303);
    let link = mailbox.link(VICTIM, "/reset/");
    assert_eq!(service.browser().fill(&link, &link, &[("password", PASSWORD)]).status, 303);
    let browser = service.browser();
    assert_eq!(browser.sign_in(VICTIM, PASSWORD).header("location"), "/sign-in/code?next=%2F", "{}", secret.len());
}

#[test]
fn changing_the_password_ends_apps_sessions_and_chosen_tokens_and_feeds() {
    let world = world();
    let (ana, elsewhere) = (signed_in(&world, ANA), signed_in(&world, ANA));
    let (token, feed) = token_and_feed(&ana);
    let page = ana.get("/settings/security").text();
    for name in ["end_tokens", "end_feeds"] {
        assert!(page.contains(&format!("name=\"{name}\" value=\"1\" checked")), "{name} is ticked");
    }
    let kept = ana.fill("/settings/security", "/settings/security/password", &[("password", ANOTHER)]);
    assert_eq!(kept.status, 303, "{}", kept.text());
    assert!(!is_in(&elsewhere));
    assert_eq!((world.get("/api/v1/me", Some(&token)).status, world.browser().get(&feed).status), (200, 200));
    let both = [("password", PASSWORD), ("end_tokens", "1"), ("end_feeds", "1")];
    assert_eq!(ana.fill("/settings/security", "/settings/security/password", &both).status, 303);
    assert_eq!((world.get("/api/v1/me", Some(&token)).status, world.browser().get(&feed).status), (401, 404));
    let seen = ana.get("/settings/security").text();
    assert!(
        seen.contains("Password changed. Ended: ") && seen.contains("1 calendar feed."),
        "{}",
        between(&seen, "<main", "</header>")
    );
    assert!(is_in(&ana));
}

#[test]
fn with_mail_an_account_is_created_from_the_mailed_link() {
    let first = Service::start();
    first.account("first@example.com", "EUR", None);
    let mailbox = Mailbox::open();
    let service = mailing(&first, &mailbox, SignUp::Invite);
    let invite = || service.run(invitations::create(&service.app, 7)).unwrap().secret;
    let browser = service.browser();
    assert!(browser.get("/sign-up").text().contains("You need an invitation"));
    let secret = invite();
    let page = browser.get(&format!("/sign-up?invite={secret}")).text();
    assert!(page.contains("name=\"email\"") && !page.contains("name=\"password\""), "the address first");
    let fields = [("email", VICTIM), ("invite", secret.as_str())];
    assert_eq!(browser.post("/sign-up", &[("email", VICTIM), ("invite", "made up")]).status, 403);
    let (unknown, known) =
        (browser.post("/sign-up", &fields), browser.post("/sign-up", &[("email", "first@example.com"), fields[1]]));
    assert_eq!((unknown.status, unknown.header("location")), (303, "/sign-in"));
    assert_eq!((known.status, known.header("location")), (303, "/sign-in"));
    let letters = [mailbox.next(), mailbox.next()];
    let (to_known, to_unknown) = match letters[0].contains("RCPT TO:<first@example.com>") {
        true => (&letters[0], &letters[1]),
        false => (&letters[1], &letters[0]),
    };
    assert!(to_known.contains("You already have one") && !to_known.contains("/sign-up/"), "{to_known}");
    let link = to_unknown.lines().find_map(|line| line.find("/sign-up/").map(|at| line[at..].trim().to_owned())).unwrap();
    // Opening the link creates nothing, and sending the form uses up the invitation.
    let page = browser.get(&link);
    assert_eq!(page.status, 200);
    assert!(page.text().contains(VICTIM) && page.text().contains("name=\"password\""));
    assert!(service.run(app::accounts::id_of(&service.app, VICTIM)).is_err());
    assert!(service.run(invitations::is_good(&service.app, &secret)).unwrap());
    assert_eq!(browser.post(&link, &[("password", "short"), ("currency", "EUR")]).status, 422);
    assert_eq!(browser.post(&link, &REST).status, 303);
    assert!(!service.run(invitations::is_good(&service.app, &secret)).unwrap());
    assert_eq!(browser.get(&link).status, 404, "once");
    assert_eq!(browser.sign_in(VICTIM, ANOTHER).status, 303);
    assert!(service.run(app::accounts::is_verified(&service.app, service.user_id(VICTIM))).unwrap());
}

#[test]
fn an_email_address_gets_at_most_three_sign_up_mails_in_half_an_hour() {
    let first = Service::start();
    first.account("first@example.com", "EUR", None);
    let mailbox = Mailbox::open();
    let service = mailing(&first, &mailbox, SignUp::Open);
    for email in [VICTIM, "first@example.com"] {
        for _ in 0..3 {
            assert_eq!(service.browser().fill("/sign-up", "/sign-up", &[("email", email)]).status, 303);
            assert!(mailbox.next().contains(&format!("RCPT TO:<{email}>")));
        }
        assert_eq!(service.browser().fill("/sign-up", "/sign-up", &[("email", email)]).status, 303);
        assert!(mailbox.is_empty(), "a fourth to {email}");
    }
}

#[test]
fn an_address_is_verified_by_its_owner_while_signed_in() {
    let open = Service::start();
    open.account("first@example.com", "EUR", None);
    open.browser().fill("/sign-up", "/sign-up", &[("email", VICTIM), ("password", PASSWORD), ("currency", "EUR")]);
    let unverified = "This address isn’t verified";
    let plain = signed_in(&open, VICTIM);
    assert!(!plain.get("/settings/security").text().contains(unverified), "nothing to be done about it without mail");
    let mailbox = Mailbox::open();
    let service = mailing(&open, &mailbox, SignUp::Open);
    let browser = moved(&plain, &service);
    assert!(browser.get("/settings/security").text().contains(unverified));
    assert_eq!(browser.post("/settings/security/verify", &[]).status, 303);
    let link = mailbox.link(VICTIM, "/settings/verify/");
    let stranger = service.browser();
    assert_eq!(stranger.get(&link).status, 303, "to sign in first");
    assert_eq!(browser.get(&link).status, 200);
    assert!(!service.run(app::accounts::is_verified(&service.app, service.user_id(VICTIM))).unwrap(), "the button verifies");
    assert_eq!(browser.post(&link, &[]).status, 303);
    assert!(service.run(app::accounts::is_verified(&service.app, service.user_id(VICTIM))).unwrap());
    assert!(!browser.get("/settings/security").text().contains(unverified));
    assert_eq!(browser.get(&link).status, 404);
}

#[test]
fn a_locked_out_owner_can_sign_in_by_mail() {
    let plain = world();
    let mailbox = Mailbox::open();
    let service = mailing(&plain, &mailbox, SignUp::Open);
    let browser = service.browser();
    for email in [BOB, "nobody@example.com"] {
        for _ in 0..5 {
            browser.sign_in(email, "not the password at all");
        }
    }
    let waiting = browser.sign_in("nobody@example.com", PASSWORD);
    assert_eq!(waiting.status, 429);
    assert!(waiting.text().contains("action=\"/unlock\""), "offered for an address without an account, too");
    assert_eq!(browser.fill("/sign-in", "/unlock", &[("email", "nobody@example.com")]).header("location"), "/sign-in");
    let owner = service.second_node_with(NOW, ServiceOptions { mailbox: Some(&mailbox), ..ServiceOptions::default() });
    let browser = owner.browser();
    let waiting = browser.sign_in(BOB, PASSWORD);
    assert!(waiting.status == 429 && waiting.text().contains("action=\"/unlock\""));
    assert_eq!(browser.fill("/sign-in", "/unlock", &[("email", BOB)]).header("location"), "/sign-in");
    let link = mailbox.link(BOB, "/unlock/");
    assert_eq!(browser.get(&link).status, 200);
    assert_eq!(browser.sign_in(BOB, PASSWORD).status, 429, "nothing happened yet");
    browser.get(&link);
    assert_eq!(browser.post(&link, &[]).header("location"), "/sign-in");
    assert!(!is_in(&browser), "it opens no session");
    assert_eq!(browser.sign_in(BOB, PASSWORD).status, 303);
    assert_eq!(browser.get(&link).status, 404, "once");
    assert!(events(&owner, BOB).contains(&"unlocked".to_owned()));
    assert!(mailbox.is_empty(), "nobody else got a letter");
}

#[test]
fn the_wait_after_wrong_codes_can_be_ended_by_mail_or_the_operator() {
    let plain = world();
    let (secret, _) = turn_factor_on(&signed_in(&plain, ANA));
    let mailbox = Mailbox::open();
    let service = plain.second_node_with(&later(60), ServiceOptions { mailbox: Some(&mailbox), ..ServiceOptions::default() });
    let browser = service.browser();
    assert_eq!(browser.sign_in(ANA, PASSWORD).header("location"), "/sign-in/code?next=%2F");
    let wrong = wrong_code(&secret, 60);
    let mut answer = browser.fill("/sign-in/code", "/sign-in/code", &[("code", &wrong)]);
    for _ in 0..5 {
        answer = browser.post("/sign-in/code", &[("code", &wrong)]);
    }
    assert_eq!(answer.status, 429);
    assert_eq!(between(&answer.text(), "name=\"email\" value=\"", "\""), ANA);
    browser.post("/unlock", &[("email", ANA)]);
    let link = mailbox.link(ANA, "/unlock/");
    assert_eq!(service.browser().fill(&link, &link, &[]).status, 303);
    assert_eq!(browser.post("/sign-in/code", &[("code", &wrong)]).status, 422, "wrong again, and not waiting");
    // The operator ends all of it: the wait, and the factor with the sessions.
    service.run(app::accounts::unlock(&service.app, ANA)).unwrap();
    assert!(service.run(app::accounts::turn_factor_off(&service.app, ANA)).unwrap());
    assert!(!service.run(app::accounts::turn_factor_off(&service.app, ANA)).unwrap());
    assert!(!is_in(&with_session(&service, &session(&browser))));
    assert_eq!(service.browser().sign_in(ANA, PASSWORD).header("location"), "/");
    let seen = events(&service, ANA);
    assert!(["totp_off", "unlocked", "session_ended"].iter().all(|event| seen.iter().any(|one| one == event)), "{seen:?}");
    assert!(service.run(feeds::list(&service.app, service.user_id(ANA))).unwrap().is_empty());
}
