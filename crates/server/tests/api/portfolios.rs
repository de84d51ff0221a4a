use app::portfolios;
use serde_json::{Value, json};
use testkit::Service;
use testkit::sample::{ANA, World};

use super::contract::ok;

fn list(service: &Service, token: &str) -> Value {
    ok(service, "/api/v1/portfolios", Some(token))
}

#[test]
fn a_slug_is_present_only_when_the_portfolio_is_shared() {
    let world = World::start();
    let shared = json!({"name": "Élan", "default": false, "slug": "elan-income"});
    assert_eq!(list(&world, &world.ana), json!({"portfolios": [{"name": "Core", "default": true}, shared]}));
    world.run(portfolios::unshare(&world.app, world.user_id(ANA), "Élan")).unwrap();
    let rows = [json!({"name": "Core", "default": true}), json!({"name": "Élan", "default": false})];
    assert_eq!(list(&world, &world.ana), json!({"portfolios": rows}));
}

#[test]
fn the_default_portfolio_comes_first_then_the_users_own_order() {
    let service = Service::start();
    let token = service.account("x@example.com", "EUR", None);
    for name in ["One", "Two", "Three", "Four"] {
        service.run(portfolios::add(&service.app, service.user_id("x@example.com"), name, false)).unwrap();
    }
    let names = || -> Vec<String> {
        let answer = list(&service, &token);
        answer["portfolios"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(), ["One", "Two", "Three", "Four"]);
    let order = ["Four".to_owned(), "Two".to_owned()];
    service.run(portfolios::order(&service.app, service.user_id("x@example.com"), &order)).unwrap();
    assert_eq!(names(), ["One", "Four", "Two", "Three"]);
    service.run(portfolios::set_default(&service.app, service.user_id("x@example.com"), "Three")).unwrap();
    assert_eq!(names(), ["Three", "Four", "Two", "One"]);
    let defaults: Vec<Value> =
        list(&service, &token)["portfolios"].as_array().unwrap().iter().map(|row| row["default"].clone()).collect();
    assert_eq!(defaults, [true, false, false, false]);
}

#[test]
fn a_user_without_portfolios_gets_an_empty_list() {
    let service = Service::start();
    let token = service.account("x@example.com", "EUR", None);
    assert_eq!(list(&service, &token), json!({"portfolios": []}));
}

#[test]
fn nobody_sees_the_portfolios_of_another() {
    let world = World::start();
    assert_eq!(list(&world, &world.bob), json!({"portfolios": [{"name": "Main", "default": true}]}));
}

#[test]
fn the_name_and_the_slug_both_narrow_every_ledger_endpoint_to_the_portfolio() {
    let world = World::start();
    for endpoint in ["holdings", "dividends", "income", "upcoming", "status", "valuation", "transactions", "received"] {
        let narrowed = |portfolio: &str| ok(&world, &format!("/api/v1/{endpoint}?portfolio={portfolio}"), Some(&world.ana));
        let all = ok(&world, &format!("/api/v1/{endpoint}"), Some(&world.ana));
        assert_eq!(narrowed("%C3%89lan"), narrowed("elan-income"), "{endpoint}");
        assert_ne!(narrowed("elan-income"), narrowed("Core"), "{endpoint}");
        assert_ne!(narrowed("Core"), all, "{endpoint}");
    }
}
