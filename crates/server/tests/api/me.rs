use app::accounts::{self, NewAccount};
use app::authentication::tokens;
use serde_json::json;
use testkit::Service;
use testkit::sample::World;

use super::contract::{get, ok};

#[test]
fn me_is_the_user_the_token_belongs_to() {
    let world = World::start();
    let id = |email: &str| world.run(accounts::id_of(&world.app, email)).unwrap().to_string();
    let ana = json!({"id": id("ana@example.com"), "email": "ana@example.com", "name": null, "preferred_currency": "EUR"});
    assert_eq!(ok(&world, "/api/v1/me", Some(&world.ana)), ana);
    let bob = json!({"id": id("bob@example.com"), "email": "bob@example.com", "name": null, "preferred_currency": "USD"});
    assert_eq!(ok(&world, "/api/v1/me", Some(&world.bob)), bob);
}

#[test]
fn the_name_is_null_if_the_user_has_none() {
    let service = Service::start();
    let account = NewAccount { email: "zoe@example.com", name: Some("Zoë"), currency: "CHF", residence: None, password: None };
    service.run(accounts::add(&service.app, &account)).unwrap();
    let token = service.run(tokens::create(&service.app, service.user_id("zoe@example.com"), "test")).unwrap().token;
    assert_eq!(ok(&service, "/api/v1/me", Some(&token))["name"], "Zoë");
    let nameless = service.account("x@example.com", "EUR", None);
    let me = ok(&service, "/api/v1/me", Some(&nameless));
    assert!(me.as_object().unwrap().contains_key("name") && me["name"].is_null());
}

#[test]
fn me_needs_nothing_but_a_token_and_takes_no_parameters() {
    let service = Service::start();
    let token = service.account("x@example.com", "EUR", None);
    let plain = get(&service, "/api/v1/me", Some(&token));
    assert_eq!(plain.status, 200);
    assert_eq!(get(&service, "/api/v1/me?portfolio=none&days=x&x=%FF", Some(&token)).body, plain.body);
}
