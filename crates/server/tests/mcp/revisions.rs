//! A whole conversation in each revision of the protocol.

use serde_json::{Value, json};
use testkit::sample::World;

use crate::talk::{LEGACY, MODERN, legacy, modern, post, result};

const TOOLS: [&str; 16] = [
    "list_portfolios",
    "get_status",
    "get_holdings",
    "get_dividends",
    "get_income_outlook",
    "get_upcoming_dividends",
    "get_valuation",
    "get_received",
    "get_transactions",
    "get_radar",
    "what_if",
    "explain_figure",
    "dividend_calendar",
    "search_stocks",
    "get_stock",
    "get_me",
];

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
}

#[test]
fn a_client_of_the_earlier_revision_starts_with_initialize() {
    let world = World::start();
    let hello = json!({"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "Test", "version": "1"}});
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": hello});
    let answer = post(&world, Some(&world.ana), &[], &body.to_string());
    assert_eq!(answer.header("mcp-session-id"), "", "nothing is kept between requests");
    let greeted = result(&answer);
    assert_eq!((&greeted["protocolVersion"], &greeted["serverInfo"]["name"]), (&json!(LEGACY), &json!("dripline")));
    for offered in ["tools", "resources", "prompts"] {
        assert!(greeted["capabilities"][offered].is_object(), "{greeted}");
    }
    let tools = result(&legacy(&world, &world.ana, "tools/list", json!({})));
    assert_eq!(names(&tools["tools"]), TOOLS);
    let called = result(&legacy(&world, &world.ana, "tools/call", json!({"name": "get_me", "arguments": {}})));
    assert_eq!(called["structuredContent"], world.get("/api/v1/me", Some(&world.ana)).json());
    result(&legacy(&world, &world.ana, "ping", json!({})));
}

#[test]
fn a_client_of_the_current_revision_needs_no_initialize() {
    let world = World::start();
    let found = result(&modern(&world, &world.ana, "server/discover", json!({})));
    assert!(found["supportedVersions"].as_array().unwrap().contains(&json!(MODERN)), "{found}");
    let tools = result(&modern(&world, &world.ana, "tools/list", json!({})));
    assert_eq!(names(&tools["tools"]), TOOLS);
    for list in [&found, &tools] {
        assert_eq!(list["resultType"], json!("complete"));
        assert!(list["ttlMs"].is_u64() && list["cacheScope"].is_string(), "{list}");
    }
    assert_eq!(tools["cacheScope"], json!("public"), "the same for everybody");
    let called = result(&modern(&world, &world.ana, "tools/call", json!({"name": "get_me", "arguments": {}})));
    assert_eq!(called["resultType"], json!("complete"));
    assert_eq!(called["structuredContent"], world.get("/api/v1/me", Some(&world.ana)).json());
}

#[test]
fn every_tool_is_marked_read_only() {
    let world = World::start();
    for tool in crate::talk::tools(&world, &world.ana) {
        let hints = &tool["annotations"];
        assert_eq!(
            (&hints["readOnlyHint"], &hints["destructiveHint"], &hints["idempotentHint"]),
            (&json!(true), &json!(false), &json!(true)),
            "{tool}"
        );
        // Only an explanation contains others of its kind.
        let elsewhere = tool.to_string().replace("\"$ref\":\"#/$defs/", "");
        assert!(!elsewhere.contains("$ref"), "what it takes and gives is told in one place");
        assert_eq!(tool.to_string().contains("$ref"), tool["name"] == "explain_figure");
        assert_eq!(tool["inputSchema"]["additionalProperties"], json!(false));
    }
}

#[test]
fn definitions_are_resources_and_common_questions_are_prompts() {
    let world = World::start();
    let resources = result(&modern(&world, &world.ana, "resources/list", json!({})));
    assert_eq!(names(&resources["resources"]), ["definitions", "openapi"]);
    for resource in resources["resources"].as_array().unwrap() {
        let read = result(&modern(&world, &world.ana, "resources/read", json!({"uri": resource["uri"]})));
        assert_eq!(read["contents"][0]["uri"], resource["uri"]);
        assert!(read["contents"][0]["text"].as_str().unwrap().len() > 1_000);
    }
    let prompts = result(&modern(&world, &world.ana, "prompts/list", json!({})));
    assert_eq!(prompts["prompts"].as_array().unwrap().len(), 3);
    for name in names(&prompts["prompts"]) {
        let got = result(&modern(&world, &world.ana, "prompts/get", json!({"name": name})));
        assert_eq!(got["messages"][0]["role"], json!("user"));
    }
}
