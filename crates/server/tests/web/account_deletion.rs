//! A deleted account is gone at once, and no other account is affected.

use app::accounts::{self, audit};
use app::authentication::{feeds, tokens};
use app::import;
use app::import::staged::{self, Spooled};
use app::portfolios;
use testkit::sample::{ANA, BOB};
use uuid::Uuid;

use super::people::{ANOTHER, PASSWORD, is_in, moved, session, signed_in, with_session, world};

const DELETE: &str = "/settings/data/delete";

#[test]
fn deleting_an_account_needs_its_email_address_typed() {
    let world = world();
    let ana = signed_in(&world, ANA);
    for other in ["", BOB, "ana"] {
        assert_eq!(ana.fill("/settings/data", DELETE, &[("email", other)]).status, 422, "{other}");
    }
    assert!(is_in(&ana));
    assert_eq!(world.get("/api/v1/me", Some(&world.ana)).status, 200);
}

#[test]
fn a_deleted_account_is_gone_at_once_everywhere() {
    let world = world();
    let node = world.second_node(testkit::NOW);
    let (ana, elsewhere, bob) = (signed_in(&world, ANA), signed_in(&world, ANA), signed_in(&world, BOB));
    let before = session(&ana);
    let holdings = world.get("/api/v1/holdings", Some(&world.bob)).body;
    let answer = ana.fill("/settings/data", DELETE, &[("email", " ANA@example.com ")]);
    assert_eq!((answer.status, answer.header("location")), (303, "/sign-in"));
    assert_eq!(answer.header("clear-site-data"), "\"cache\", \"storage\"");
    assert_eq!(ana.cookie("__Host-s"), None);
    assert!(ana.get("/sign-in").text().contains("have been deleted"));
    assert!(!is_in(&with_session(&world, &before)) && !is_in(&moved(&elsewhere, &node)) && is_in(&bob));
    for service in [&world.service, &node] {
        assert_eq!(service.get("/api/v1/me", Some(&world.ana)).status, 401);
    }
    assert_eq!(world.browser().sign_in(ANA, PASSWORD).status, 422);
    assert_eq!(world.get("/api/v1/holdings", Some(&world.bob)).body, holdings);
}

const CANARY: &str = "canaryofthecoalmine";

/// Whether any file of the database contains the canary.
#[test]
fn no_data_of_a_deleted_account_is_left_in_the_database() {
    let world = world();
    let (app, id) = (&world.app, world.user_id(ANA));
    let named = |what: &str| format!("{CANARY} {what}");
    world.run(tokens::create(app, id, &named("token"))).unwrap();
    let revoked = world.run(tokens::create(app, id, &named("revoked"))).unwrap().id;
    world.run(tokens::revoke(app, &revoked.to_string())).unwrap();
    world.run(feeds::create(app, id, &named("feed"))).unwrap();
    world.run(portfolios::add(app, id, &named("portfolio"), false)).unwrap();
    let file = format!("date,type,symbol,shares,price,currency,note\n2026-01-05,buy,{CANARY},3,7.00,EUR,{CANARY}\n");
    let name = format!("{CANARY}.csv");
    let request = import::Request {
        user_id: id,
        file_name: &name,
        bytes: import::FileBytes::Plain(file.as_bytes()),
        ..import::Request::default()
    };
    assert_eq!(world.run(import::import(app, &request, &|_, _, _| {})).unwrap().entries, 1);
    let file = Spooled::of(app, file.as_bytes()).unwrap();
    world.run(staged::put_once(app, id, Uuid::now_v7(), &name, file, None)).unwrap();
    let email = format!("{CANARY}@example.com");
    world.run(accounts::set_email(app, id, &email)).unwrap();
    let ana = signed_in(&world, &email);
    assert!(world.contains_text(CANARY));
    assert_eq!(ana.fill("/settings/data", DELETE, &[("email", &email)]).status, 303);
    assert!(!world.contains_text(CANARY));
    assert!(world.run(audit::verify(app, id)).unwrap());
}

#[test]
fn signing_up_again_after_deletion_starts_empty() {
    let world = world();
    signed_in(&world, ANA).fill("/settings/data", DELETE, &[("email", ANA)]);
    let browser = world.browser();
    let again = browser.fill("/sign-up", "/sign-up", &[("email", ANA), ("password", ANOTHER), ("currency", "EUR")]);
    assert_eq!(again.status, 303);
    assert_eq!(browser.sign_in(ANA, ANOTHER).header("location"), "/");
    let home = browser.get("/").text();
    assert!(home.contains("No holdings yet"), "{home}");
    let activity = browser.get("/settings/security").text();
    assert!(!activity.contains("Password reset"), "{activity}");
}
