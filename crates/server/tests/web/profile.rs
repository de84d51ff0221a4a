//! `/settings`: the profile and its effects.

use serde_json::{Value, json};
use testkit::sample::{ANA, BOB, World};

use super::people::{is_in, later, moved, signed_in, world};

fn api(world: &World, path: &str) -> Value {
    world.get(&format!("/api/v1/{path}"), Some(&world.bob)).json()
}

#[test]
fn every_figure_follows_the_profile() {
    let world = world();
    let bob = signed_in(&world, BOB);
    assert_eq!(api(&world, "me")["preferred_currency"], "USD");
    let fields = [("name", " Bobby "), ("currency", "EUR"), ("residence", "ES"), ("number_format", "de"), ("idle", "60")];
    let answer = bob.fill("/settings", "/settings/profile", &fields);
    assert_eq!((answer.status, answer.header("location")), (303, "/settings"));
    let me = api(&world, "me");
    assert_eq!((&me["name"], &me["preferred_currency"]), (&json!("Bobby"), &json!("EUR")));
    // Bob's five payers in euros, and after what Spain's treaties leave abroad: worked out in the tests of /income.
    let income = api(&world, "income");
    assert_eq!(income["annual_income"], json!({"amount": "502.80", "currency": "EUR"}));
    assert_eq!(income["net_annual_income"], json!({"amount": "443.88", "currency": "EUR"}));
    let home = bob.get("/").text();
    assert!(home.contains("<data value=\"502.80\" data-currency=\"EUR\">502,80\u{a0}€</data>"), "{home}");
    assert!(home.contains("<summary><span>Bobby</span></summary>"));
    let nothing = [("name", ""), ("currency", "EUR"), ("residence", ""), ("number_format", ""), ("idle", "10080")];
    assert_eq!(bob.fill("/settings", "/settings/profile", &nothing).status, 303);
    assert_eq!(api(&world, "me")["name"], Value::Null);
    assert!(bob.get("/").text().contains("€502.80</data>"), "as the browser has it");
    assert_ne!(api(&world, "income")["net_annual_income"], income["net_annual_income"], "without a residence");
    let ana = world.get("/api/v1/me", Some(&world.ana)).json();
    assert_eq!((&ana["name"], &ana["preferred_currency"]), (&Value::Null, &json!("EUR")));
}

#[test]
fn invalid_profile_values_are_refused_and_nothing_is_saved() {
    let world = world();
    let bob = signed_in(&world, BOB);
    let before = world.get("/api/v1/income", Some(&world.bob)).header("etag").to_owned();
    let long = "n".repeat(101);
    let odd = [
        ("currency", "XXX"),
        ("currency", ""),
        ("residence", "ZZ"),
        ("number_format", "evil"),
        ("idle", "1"),
        ("idle", "99999999"),
        ("idle", "soon"),
        ("name", long.as_str()),
    ];
    for (field, value) in odd {
        let good = [("name", "Other"), ("currency", "EUR"), ("residence", "ES"), ("number_format", "de"), ("idle", "60")];
        let fields: Vec<(&str, &str)> = good.map(|(name, usual)| (name, if name == field { value } else { usual })).to_vec();
        let answer = bob.fill("/settings", "/settings/profile", &fields);
        assert_eq!(answer.status, 422, "{field} {value}");
        assert!(answer.text().contains("role=\"alert\"") && (field == "name" || answer.text().contains("value=\"Other\"")));
    }
    assert_eq!(world.get("/api/v1/income", Some(&world.bob)).header("etag"), before);
}

#[test]
fn a_display_name_is_escaped_as_text() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let name = "<script>alert(1)</script>\"'&";
    assert_eq!(ana.fill("/settings", "/settings/profile", &[("name", name), ("currency", "EUR"), ("idle", "60")]).status, 303);
    let page = ana.get("/settings").text();
    assert!(!page.contains("<script>alert") && !page.contains("\"'&\""), "{page}");
}

#[test]
fn a_session_expires_after_the_inactivity_the_user_chose() {
    let world = world();
    let ana = signed_in(&world, ANA);
    let save = |idle: &str| ana.fill("/settings", "/settings/profile", &[("currency", "EUR"), ("idle", idle)]).status;
    let at = |seconds: i64| is_in(&moved(&ana, &world.second_node(&later(seconds))));
    assert_eq!(save("15"), 303);
    assert!(!at(15 * 60));
    assert!(at(15 * 60 - 1));
}

#[test]
fn the_search_shortcut_can_be_turned_off_and_on() {
    let world = world();
    let bob = signed_in(&world, BOB);
    let is_off = || bob.get("/calendar").text().contains("data-shortcuts=\"off\"");
    assert!(!is_off() && bob.get("/settings").text().contains("name=\"shortcuts\" value=\"yes\" checked"));
    assert_eq!(bob.fill("/settings", "/settings/shortcuts", &[]).header("location"), "/settings");
    assert!(is_off() && bob.get("/settings").text().contains("name=\"shortcuts\" value=\"yes\">"));
    bob.fill("/settings", "/settings/shortcuts", &[("shortcuts", "yes")]);
    assert!(!is_off());
}
