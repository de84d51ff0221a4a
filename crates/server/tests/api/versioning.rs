use std::collections::BTreeSet;

use serde_json::{Value, json};
use server::api::openapi::breaking_changes;
use testkit::sample::World;

use super::contract::{error, get, mistakes_but_additions, operation, served};

#[test]
fn the_version_is_a_prefix_of_every_path() {
    let world = World::start();
    let paths: Vec<&String> = served(&world).get("paths").and_then(Value::as_object).unwrap().keys().collect();
    assert!(paths.len() >= 10);
    assert!(paths.iter().all(|path| path.starts_with("/api/v1/")), "{paths:?}");
    for path in ["/api/v2/me", "/api/v0/me", "/api/me", "/api/v1.0/me", "/api/v/me"] {
        error(&world, path, Some(&world.ana), 404, "not_found");
    }
    // Not the API's, but a page's to answer.
    assert_eq!(world.get("/v1/me", Some(&world.ana)).status, 404);
}

#[test]
fn every_path_of_the_contract_answers_and_is_in_the_document() {
    let world = World::start();
    let contract = [
        "me",
        "portfolios",
        "holdings",
        "dividends",
        "income",
        "upcoming",
        "explain?figure=growth",
        "calendar",
        "stocks?q=qtr",
        "stocks/QTR",
        "openapi.json",
    ];
    for path in contract {
        assert_eq!(get(&world, &format!("/api/v1/{path}"), Some(&world.ana)).status, 200, "{path}");
    }
}

#[test]
fn additions_do_not_break_clients_and_removals_do() {
    let world = World::start();
    let document = served(&world).clone();
    let after = |edit: fn(&mut Value)| {
        let mut new = document.clone();
        edit(&mut new);
        breaking_changes(&document, &new).len()
    };
    assert_eq!(after(|new| new["components"]["schemas"]["Me"]["properties"]["nickname"] = json!({"type": "string"})), 0);
    assert_eq!(after(|new| new["paths"]["/api/v1/new"] = json!({"get": {}})), 0);
    let breaks: [fn(&mut Value); 7] = [
        |new| drop(new["components"]["schemas"]["Me"]["properties"].as_object_mut().unwrap().remove("email")),
        |new| new["components"]["schemas"]["Me"]["required"] = json!(["id", "email"]),
        |new| new["components"]["schemas"]["Holding"]["properties"]["shares"]["type"] = json!("number"),
        |new| new["components"]["schemas"]["Safety"]["enum"] = json!(["safe", "watch", "at_risk"]),
        |new| drop(new["paths"].as_object_mut().unwrap().remove("/api/v1/upcoming")),
        |new| new["paths"]["/api/v1/income"]["get"]["parameters"] = json!([]),
        |new| drop(new["paths"]["/api/v1/me"]["get"]["responses"].as_object_mut().unwrap().remove("401")),
    ];
    for (number, edit) in breaks.into_iter().enumerate() {
        assert_ne!(after(edit), 0, "break {number} is not noticed");
    }
}

/// The description of the release before, without texts and headers.
const PREVIOUS: &str = include_str!("previous.json");

#[test]
fn clients_of_the_release_before_can_read_every_response() {
    let previous: Value = serde_json::from_str(PREVIOUS).unwrap();
    let world = World::start();
    let new = world.account("new@example.com", "JPY", None);
    let known = [
        "me",
        "portfolios",
        "holdings",
        "holdings?portfolio=Core",
        "dividends",
        "income?drip=true&years=3",
        "upcoming?days=120",
        "calendar?days=120",
        "stocks?q=q",
        "stocks/QTR",
        "stocks/ANN",
        "stocks/BARE",
        "openapi.json",
        "openapi-3.1.json",
    ];
    let mut covered = BTreeSet::new();
    for path in known.map(|path| format!("/api/v1/{path}")) {
        let described = operation(&previous, path.split('?').next().unwrap()).unwrap();
        covered.insert(described.to_string());
        for token in [Some(&world.ana), Some(&world.bob), Some(&new), None] {
            let answer = world.get(&path, token.map(String::as_str));
            let schema = match answer.status {
                200 => described["responses"]["200"]["content"]["application/json"]["schema"].clone(),
                _ => json!({"$ref": "#/components/schemas/Error"}),
            };
            let mistakes = mistakes_but_additions(&previous, &schema, &answer.json());
            assert_eq!(mistakes, Vec::<String>::new(), "{path}: {}", answer.json());
        }
    }
    let all = previous["paths"].as_object().unwrap().values().map(|item| item["get"].to_string());
    assert_eq!(covered, all.collect());
}
