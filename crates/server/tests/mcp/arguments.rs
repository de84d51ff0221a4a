//! Invalid arguments are explained so that a model can correct them.

use serde_json::{Value, json};
use testkit::sample::World;

use crate::talk::{call, error, error_text, modern};

fn error_of(world: &World, tool: &str, arguments: Value) -> String {
    error_text(&call(world, &world.ana, tool, arguments))
}

#[test]
fn every_argument_is_checked() {
    let world = World::start();
    for (tool, arguments, words) in [
        ("get_upcoming_dividends", json!({"days": "30"}), "`days` must be a whole number"),
        ("get_upcoming_dividends", json!({"days": 1.5}), "`days` must be a whole number"),
        ("get_upcoming_dividends", json!({"days": [30]}), "`days` must be a whole number"),
        ("get_income_outlook", json!({"drip": "true"}), "`drip` must be true or false"),
        ("get_income_outlook", json!({"drip": 1}), "`drip` must be true or false"),
        ("get_holdings", json!({"portfolio": 7}), "`portfolio` must be a string"),
        ("get_holdings", json!({"portfolio": {"name": "Core"}}), "`portfolio` must be a string"),
        ("get_holdings", json!({"portfolio": ""}), "`portfolio` is empty"),
        ("get_holdings", json!({"user": "bob"}), "no argument `user`"),
        ("get_me", json!({"x": 1}), "no arguments"),
        ("get_stock", json!({}), "`symbol` is missing"),
        ("get_stock", json!({"symbol": null}), "`symbol` is missing"),
        ("search_stocks", json!({}), "`query` is missing"),
    ] {
        let sentence = error_of(&world, tool, arguments.clone());
        assert!(sentence.contains(words) && sentence.ends_with('.'), "{tool} {arguments}: {sentence}");
    }
}

#[test]
fn errors_of_the_api_are_passed_on() {
    let world = World::start();
    for (tool, arguments, path) in [
        ("get_dividends", json!({"from": "yesterday"}), "dividends?from=yesterday"),
        ("get_holdings", json!({"portfolio": "Nowhere"}), "holdings?portfolio=Nowhere"),
        ("search_stocks", json!({"q": "x".repeat(500)}), &format!("stocks?q={}", "x".repeat(500))),
        ("get_holdings", json!({"portfolio": "a\u{0}b"}), "holdings?portfolio=a%00b"),
    ] {
        let api = world.get(&format!("/api/v1/{path}"), Some(&world.ana));
        assert!((400..500).contains(&api.status), "{path}");
        assert_eq!(error_of(&world, tool, arguments), api.json()["error"]["message"].as_str().unwrap(), "{path}");
    }
}

#[test]
fn an_unknown_tool_is_a_protocol_error() {
    let world = World::start();
    for name in ["no_such_tool", "get_me2", "GET_ME"] {
        let answer = modern(&world, &world.ana, "tools/call", json!({"name": name, "arguments": {}}));
        assert_eq!(error(&answer).1, -32602, "{name}: {}", answer.text());
    }
    for arguments in [json!([]), json!("x"), json!(7)] {
        let answer = modern(&world, &world.ana, "tools/call", json!({"name": "get_me", "arguments": arguments}));
        assert_eq!(error(&answer).1, -32602, "{}", answer.text());
    }
}

#[test]
fn another_users_portfolio_looks_unknown() {
    let world = World::start();
    for tool in [
        "get_holdings",
        "get_dividends",
        "get_income_outlook",
        "get_upcoming_dividends",
        "get_status",
        "get_valuation",
        "get_received",
        "get_transactions",
    ] {
        let bob = |name: &str| error_text(&call(&world, &world.bob, tool, json!({"portfolio": name}))).replace(name, "NAME");
        let nobodys = bob("Nowhere");
        for anas in ["Core", "Élan", "elan-income"] {
            assert_eq!(bob(anas), nobodys, "{tool} {anas}");
        }
    }
}

#[test]
fn a_symbol_cannot_reach_another_path() {
    let world = World::start();
    for symbol in ["..", ".", "../me", "QTR/../../me", "QTR?x=1", "%2e%2e", "QTR#x", "\\..\\me"] {
        let sentence = error_of(&world, "get_stock", json!({"symbol": symbol}));
        assert!(!sentence.contains("ana@example.com"), "{symbol}: {sentence}");
    }
}

#[test]
fn shares_may_be_a_number() {
    let world = World::start();
    for (number, text) in [(json!(10), "10"), (json!(0.5), "0.5")] {
        let answers = [number, json!(text)].map(|shares| {
            let result = call(&world, &world.ana, "what_if", json!({"symbol": "QTR", "shares": shares}));
            result["content"][0]["text"].clone()
        });
        assert_eq!(answers[0], answers[1], "{text}");
    }
}
