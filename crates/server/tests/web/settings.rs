//! `/settings/security`: address, sessions, activity.

use app::accounts::audit::Event;
use app::authentication::tokens;
use sha2::{Digest, Sha256};
use testkit::sample::{ANA, BOB};
use uuid::Uuid;

use super::people::{ANOTHER, PASSWORD, is_in, signed_in, world};

const PAGE: &str = "/settings/security";

#[test]
fn the_settings_need_signing_in() {
    let world = world();
    for page in ["/settings", PAGE, "/settings/data", "/settings/market-data", "/settings/security/factor"] {
        let to = format!("/sign-in?next={}", page.replace('/', "%2F"));
        assert_eq!(world.browser().get(page).header("location"), to);
    }
    let to = world.browser().get("/.well-known/change-password");
    assert_eq!((to.status, to.header("location")), (303, PAGE));
}

/// Clients link to `/settings#api-tokens-settings`.
#[test]
fn the_settings_have_an_anchor_that_leads_to_the_tokens() {
    let world = world();
    assert!(signed_in(&world, ANA).get("/settings").text().contains("<a id=\"api-tokens-settings\" href=\"/settings/access\""));
}

#[test]
fn a_weak_new_password_is_refused() {
    let world = world();
    let ana = signed_in(&world, ANA);
    for weak in ["", "short", "passwordpassword", "ana@example.com1"] {
        assert_eq!(ana.fill(PAGE, "/settings/security/password", &[("password", weak)]).status, 422, "{weak}");
    }
    assert_eq!(world.browser().sign_in(ANA, PASSWORD).status, 303);
}

#[test]
fn a_changed_email_address_is_used_to_sign_in() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let change = |email: &str| ana.fill(PAGE, "/settings/security/email", &[("email", email)]).status;
    assert_eq!([change(BOB), change("BOB@example.com"), change("no address"), change("")], [422; 4]);
    assert_eq!(change(" ana.new@example.com "), 303);
    assert_eq!(world.get("/api/v1/me", Some(&world.ana)).json()["email"], "ana.new@example.com");
    assert_eq!(world.browser().sign_in(ANA, PASSWORD).status, 422);
    assert_eq!(world.browser().sign_in("ana.new@example.com", PASSWORD).status, 303);
    assert!(is_in(&ana));
}

#[test]
fn the_mailed_link_changes_the_email_address_after_confirmation() {
    let world = world();
    let (ana, bob) = (signed_in(&world, ANA), signed_in(&world, BOB));
    let (user_id, hash): (Uuid, [u8; 32]) = (world.user_id(ANA), Sha256::digest("of-the-letter").into());
    world.run(async {
        let mut tx = world.app.store.write().await.unwrap();
        let until = world.app.clock.now_micros() + 1;
        store::email_changes::add(&mut tx, &hash, user_id, "ana.new@example.com", until).await.unwrap();
        tx.commit().await.unwrap();
    });
    let link = "/settings/email/of-the-letter";
    assert_eq!(world.browser().get(link).header("location"), "/sign-in?next=%2Fsettings%2Femail%2Fof-the-letter");
    assert_eq!((bob.get(link).status, bob.fill("/settings", link, &[]).status), (404, 404), "another's");
    let page = ana.get(link);
    assert_eq!(page.status, 200);
    assert!(page.text().contains("ana.new@example.com"));
    assert_eq!(world.get("/api/v1/me", Some(&world.ana)).json()["email"], ANA, "looking at it changes nothing");
    assert_eq!(ana.post(link, &[]).header("location"), PAGE);
    assert_eq!(world.get("/api/v1/me", Some(&world.ana)).json()["email"], "ana.new@example.com");
    assert_eq!((ana.get(link).status, ana.post(link, &[]).status), (404, 404), "once");
}

#[test]
fn sessions_are_listed_and_ended_one_by_one() {
    let world = world();
    let (here, there) = (signed_in(&world, ANA), signed_in(&world, ANA));
    let page = here.get(PAGE).text();
    assert_eq!(page.matches("this device").count(), 1);
    assert!(page.contains("127.0.0.0/24") && !page.contains("127.0.0.1"));
    let ids: Vec<&str> = page.split("name=\"session\" value=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(ids.len(), 1, "the own session is ended by signing out");
    assert_eq!(here.post("/settings/security/end", &[("session", ids[0])]).header("location"), PAGE);
    assert!(is_in(&here) && !is_in(&there));
    for gone in [ids[0], &Uuid::nil().to_string(), "x", ""] {
        assert_eq!(here.fill(PAGE, "/settings/security/end", &[("session", gone)]).status, 404, "{gone}");
    }
}

#[test]
fn account_activity_is_described_in_words() {
    let world = world();
    let ana = signed_in(&world, ANA);
    world.browser().sign_in(ANA, "not the password at all");
    let user_id = world.user_id(ANA);
    let made = world.run(tokens::create(&world.app, user_id, "My <sheet>")).unwrap();
    world.run(tokens::revoke_of(&world.app, user_id, made.id)).unwrap();
    ana.fill(PAGE, "/settings/security/password", &[("password", ANOTHER)]);
    let page = ana.get(PAGE).text();
    let expected_lines = [
        "Password changed",
        "Access token revoked: My &#60;sheet&#62;",
        "Access token created: My &#60;sheet&#62;",
        "Failed sign-in, from 127.0.0.0/24",
        "Signed in, from 127.0.0.0/24",
        "Access token created: test",
        "Account created",
    ];
    let mut rest = page.as_str();
    for line in expected_lines {
        rest = rest.split_once(line).unwrap_or_else(|| panic!("no \"{line}\" in its place in {page}")).1;
    }
    assert!(!page.contains("Other event"));
    assert!(world.run(app::accounts::audit::verify(&world.app, user_id)).unwrap());
}

#[test]
fn app_activity_is_described_in_words() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let user_id = world.user_id(ANA);
    for event in [Event::AppAllowed, Event::AppRevoked, Event::AppRemoved, Event::TokenReused] {
        world.run(async {
            let mut tx = world.app.store.write().await.unwrap();
            app::accounts::audit::record(&mut tx, user_id, 0, event, "My <widget>").await.unwrap();
            tx.commit().await.unwrap();
        });
    }
    let page = ana.get(PAGE).text();
    for line in [
        "App connected: My &#60;widget&#62;",
        "App disconnected: My &#60;widget&#62;",
        "App removed by the administrator: My &#60;widget&#62;",
        "App disconnected because one of its codes or tokens was used twice: My &#60;widget&#62;",
    ] {
        assert!(page.contains(line), "no \"{line}\" in {page}");
    }
    assert!(!page.contains("Other event"));
}
