//! The connector without a token.

use serde_json::{Value, json};
use testkit::sample::World;

use crate::talk::{call, error, error_text, public, result};

#[test]
fn anybody_sees_three_tools_and_no_prompts() {
    let world = World::start();
    let tools = result(&public(&world, "tools/list", json!({})));
    let names: Vec<&str> = tools["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["dividend_calendar", "search_stocks", "get_stock"]);
    assert_eq!(result(&public(&world, "prompts/list", json!({})))["prompts"], json!([]));
    let answer = public(&world, "tools/call", json!({"name": "get_holdings", "arguments": {}}));
    assert_eq!(error(&answer).1, -32602, "{}", answer.text());
}

#[test]
fn the_tools_answer_what_the_api_answers_without_a_token() {
    let world = World::start();
    for (tool, arguments, path) in [
        ("dividend_calendar", json!({"days": 120}), "calendar?days=120"),
        ("search_stocks", json!({"query": "quarry"}), "stocks?q=quarry"),
        ("get_stock", json!({"symbol": "QTR"}), "stocks/QTR"),
    ] {
        let answer = public(&world, "tools/call", json!({"name": tool, "arguments": arguments}));
        let api = world.get(&format!("/api/v1/{path}"), None);
        assert_eq!(api.status, 200, "{path}");
        assert_eq!(result(&answer)["content"][0]["text"].as_str().unwrap(), api.text(), "{tool}");
    }
    // A stock of one user is nobody else's to see.
    let hidden = |result: Value| error_text(&result);
    hidden(result(&public(&world, "tools/call", json!({"name": "get_stock", "arguments": {"symbol": "HIDE"}}))));
    assert_eq!(call(&world, &world.ana, "get_stock", json!({"symbol": "QTR"}))["isError"], json!(false));
}

#[test]
fn its_requests_and_those_of_the_api_count_together() {
    let world = World::start();
    for number in 1..=30 {
        assert_eq!(public(&world, "tools/list", json!({})).status, 200, "request {number}");
        assert_eq!(world.get("/api/v1/calendar", None).status, 200, "request {number}");
    }
    let refused = public(&world, "tools/list", json!({}));
    assert_eq!((refused.status, refused.error_code().as_str()), (429, "rate_limited"));
    assert!(refused.header("retry-after").parse::<u32>().unwrap() >= 1);
    assert_eq!(call(&world, &world.ana, "get_me", json!({}))["isError"], json!(false), "users have another limit");
}
