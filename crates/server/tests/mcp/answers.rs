//! A tool answers what the API answers.

use std::collections::BTreeMap;

use proptest::prelude::{Just, Strategy, any};
use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};
use testkit::Answer;
use testkit::sample::World;

use crate::flow::escaped;
use crate::talk::{call, error_text, tools};

const SETS: usize = 200;
/// One tool for each operation of the API.
const PATHS: [(&str, &str); 16] = [
    ("list_portfolios", "portfolios"),
    ("get_status", "status"),
    ("get_holdings", "holdings"),
    ("get_valuation", "valuation"),
    ("get_received", "received"),
    ("get_transactions", "transactions"),
    ("get_radar", "radar"),
    ("get_dividends", "dividends"),
    ("get_income_outlook", "income"),
    ("get_upcoming_dividends", "upcoming"),
    ("what_if", "whatif"),
    ("explain_figure", "explain"),
    ("dividend_calendar", "calendar"),
    ("search_stocks", "stocks"),
    ("get_stock", "stocks/{symbol}"),
    ("get_me", "me"),
];

#[test]
fn tools_answer_two_hundred_sets_of_arguments_like_the_api() {
    let world = World::start();
    let tools: BTreeMap<String, Value> =
        tools(&world, &world.ana).into_iter().map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool)).collect();
    let mut runner = TestRunner::deterministic();
    let (mut answered, mut refused) = (BTreeMap::new(), 0);
    for number in 0..SETS {
        let (name, path) = PATHS[number % PATHS.len()];
        let tool = &tools[name];
        let mut arguments = arguments(&tool["inputSchema"]).new_tree(&mut runner).unwrap().current();
        let in_turn = number / PATHS.len() % 2;
        if name == "search_stocks" {
            // Either of its two names.
            arguments.remove(["q", "query"][in_turn]);
        }
        if name == "what_if" {
            // Either of two that exclude each other.
            arguments.remove(["amount", "shares"][in_turn]);
            arguments.entry(["shares", "amount"][in_turn]).or_insert("10".into());
        }
        let token = if number % 3 == 0 { &world.bob } else { &world.ana };
        let api = world.get(&request(path, &arguments), Some(token));
        let result = call(&world, token, name, Value::Object(arguments.clone()));
        match api.status {
            200 => {
                check_answer(&result, &api, tool);
                *answered.entry(name).or_insert(0) += 1;
            }
            404 => assert_eq!(error_text(&result), "No data for this symbol. Find symbols with `search_stocks`."),
            422 if api.json()["error"]["message"].as_str().unwrap().contains("`q`") => {
                assert_eq!(error_text(&result), "The argument `query` is missing.");
            }
            _ => {
                assert_eq!(error_text(&result), api.json()["error"]["message"].as_str().unwrap(), "{name} {arguments:?}");
                refused += 1;
            }
        }
    }
    assert_eq!(answered.len(), PATHS.len(), "every tool was answered: {answered:?}");
    assert!(refused >= 20, "and some arguments were refused: {refused}");
}

fn check_answer(result: &Value, api: &Answer, tool: &Value) {
    assert_eq!(result["content"][0]["text"].as_str().unwrap(), api.text(), "the same text");
    // A number that was read and written again has the same digits.
    assert_eq!(result["structuredContent"].to_string(), api.text());
    let api = &api.json();
    assert_eq!((&result["isError"], &result["structuredContent"]), (&json!(false), api), "{}", tool["name"]);
    let validator = jsonschema::validator_for(&tool["outputSchema"]).unwrap();
    let problems: Vec<String> = validator.iter_errors(api).map(|error| format!("{error} at {}", error.instance_path())).collect();
    assert!(problems.is_empty(), "{} {problems:?}", tool["name"]);
    check_amounts(api);
}

fn check_amounts(value: &Value) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                assert!(name != "amount" || value.is_string() || value.is_object(), "{object:?}");
                check_amounts(value);
            }
        }
        Value::Array(list) => list.iter().for_each(check_amounts),
        _ => {}
    }
}

/// The API request for these arguments, built independently.
fn request(path: &str, arguments: &Map<String, Value>) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let (in_path, query): (Vec<_>, Vec<_>) = arguments.iter().partition(|(name, _)| path.contains(&format!("{{{name}}}")));
    let path = in_path.iter().fold(path.to_owned(), |path, (name, value)| {
        let one_segment = escaped(&text(value)).replace("..", "%2E%2E");
        path.replace(&format!("{{{name}}}"), &one_segment)
    });
    let query: Vec<String> = query.iter().map(|(name, value)| format!("{name}={}", escaped(&text(value)))).collect();
    format!("/api/v1/{path}?{}", query.join("&").replace("query=", "q="))
}

/// Arguments a model might send: mostly valid, sometimes out of range, malformed or unknown.
fn arguments(schema: &Value) -> BoxedStrategy<Map<String, Value>> {
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let none = Just(Map::new()).boxed();
    schema["properties"].as_object().unwrap().iter().fold(none, |all, (name, described)| {
        let value = value(name, &described["type"]);
        let given = if required.contains(&name.as_str()) { Just(true).boxed() } else { any::<bool>().boxed() };
        let name = name.clone();
        let with = move |(mut all, value, given): (Map<String, Value>, Value, bool)| {
            if given {
                all.insert(name.clone(), value);
            }
            all
        };
        (all, value, given).prop_map(with).boxed()
    })
}

fn value(name: &str, kind: &Value) -> BoxedStrategy<Value> {
    let texts: &[&str] = match name {
        "portfolio" => &["Core", "Élan", "core", "elan-income", "Nowhere", "Main", "a&b=c", "100 %"],
        "symbol" => &["QTR", "qtr", "MON", "SEVN", "ANN", "HALT", "SHIP", "SPLT", "RAD", "BARE", "HIDE", "NOSUCH", "a/b?c", "é"],
        "figure" => &["income", "withholding", "growth", "safety", "average_cost", "expected", "annual_income", "value", "yield"],
        "from" => &["2024-01-01", "2025-06-30", "2026-09-20", "2026-13-01", "yesterday"],
        "to" => &["2026-12-31", "2026-09-20", "2025-12-31", "2023-01-01", "1.1.2026"],
        "type" => &["buy", "sell", "dividend", "split", "purchase"],
        "cursor" => &["MjAyNi0wMS0xNS4xNw", "nowhere"],
        "shares" | "amount" => &["1", "50", "0.125", "1000000", "0", "-5", "1,5", "1e3"],
        "q" | "query" => &["q", "quarry", "sevn", "GB00000SEVN8", "zzzz", "tool", "mal", "ibérica", "%", "a&q=b"],
        _ => &[],
    };
    match kind.as_str() {
        Some("integer") => select(vec![-5, 0, 1, 2, 5, 7, 30, 45, 90, 120, 366, 100_000]).prop_map(Value::from).boxed(),
        Some("boolean") => any::<bool>().prop_map(Value::from).boxed(),
        _ => select(texts.to_vec()).prop_map(Value::from).boxed(),
    }
}
