use serde_json::{Value, json};
use server::api::openapi::{DOCUMENT_3_0, breaking_changes, text};
use testkit::Service;

use super::contract::{get, resolve, served};

const HOW_TO: &str = "If the change is meant, write it down with `cargo run -- openapi > docs/user/openapi.json`.";

fn committed() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/user/openapi.json");
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("docs/user/openapi.json: {error}. {HOW_TO}"))
}

fn breaks() -> Vec<String> {
    let committed: Value = serde_json::from_str(&committed()).unwrap();
    breaking_changes(&committed, &DOCUMENT_3_0)
}

#[test]
fn the_committed_document_is_the_one_that_is_served() {
    if committed() == text(&DOCUMENT_3_0) {
        return;
    }
    let breaks = match breaks() {
        none if none.is_empty() => "Nothing in it breaks a client.".to_owned(),
        some => format!("These break clients and belong into a new version:\n  {}", some.join("\n  ")),
    };
    panic!("docs/user/openapi.json is not what the service says of itself now. {breaks}\n{HOW_TO}");
}

#[test]
fn nothing_has_changed_that_breaks_a_client() {
    assert_eq!(breaks(), Vec::<String>::new(), "within v1 the API only grows");
}

#[test]
fn the_document_is_served_as_it_is_generated_to_anybody() {
    let service = Service::start();
    let answer = get(&service, "/api/v1/openapi.json", None);
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(String::from_utf8(answer.body).unwrap(), DOCUMENT_3_0.to_string());
}

#[test]
fn the_document_is_small_enough_to_read_and_makes_plain_types() {
    let text = DOCUMENT_3_0.to_string();
    assert!(text.len() <= 45_000, "{}", text.len());
    for word in ["int32", "int64", "Nullable", "\"in\":\"header\""] {
        assert!(!text.contains(word), "{word}");
    }
    let schemas = &DOCUMENT_3_0["components"]["schemas"];
    for (name, schema) in schemas.as_object().unwrap() {
        for (field, described) in schema["properties"].as_object().into_iter().flatten() {
            let listed = schema["required"].as_array().is_some_and(|required| required.contains(&json!(field)));
            assert!(listed || described["nullable"] != true, "{name}.{field} would be null or absent");
        }
    }
    let by_month = &schemas["IncomeYear"]["properties"]["by_month"];
    assert_eq!(by_month["additionalProperties"], json!({"$ref": "#/components/schemas/Money"}));
    let codes = "bad_request unauthorized forbidden not_found invalid_params rate_limited internal unavailable";
    assert_eq!(schemas["ErrorBody"]["properties"]["code"]["enum"], json!(codes.split(' ').collect::<Vec<_>>()));
}

#[test]
fn the_document_is_openapi_3_0_3_and_all_its_references_lead_somewhere() {
    let service = Service::start();
    let document = served(&service);
    assert_eq!(document["openapi"], "3.0.3");
    let parameters = document["paths"].as_object().unwrap().values().filter_map(|item| item["get"].get("parameters"));
    assert!(parameters.into_iter().all(Value::is_array), "a list or nothing");
    let mut references = Vec::new();
    collect(document, &mut references);
    assert!(references.len() > 50);
    for reference in references {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
}

fn collect(node: &Value, references: &mut Vec<String>) {
    match node {
        Value::Object(object) => {
            references.extend(object.get("$ref").and_then(Value::as_str).map(str::to_owned));
            object.values().for_each(|value| collect(value, references));
        }
        Value::Array(list) => list.iter().for_each(|value| collect(value, references)),
        _ => {}
    }
}

#[test]
fn the_3_1_form_has_the_same_paths() {
    let service = Service::start();
    let answer = get(&service, "/api/v1/openapi-3.1.json", None);
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    let newer = answer.json();
    assert!(newer["openapi"].as_str().unwrap().starts_with("3.1"));
    let shape = |document: &Value| -> Vec<(String, Vec<String>)> {
        let operation = |(path, item): (&String, &Value)| {
            let statuses = item["get"]["responses"].as_object().unwrap().keys().cloned().collect();
            (path.clone(), statuses)
        };
        document["paths"].as_object().unwrap().iter().map(operation).collect()
    };
    assert_eq!(shape(&newer), shape(served(&service)));
}

#[test]
fn ranges_are_documented_but_not_enforced_because_values_are_clamped() {
    let service = Service::start();
    for (path, name, range) in [
        ("calendar", "days", "1 to 120"),
        ("upcoming", "days", "1 to 120"),
        ("income", "years", "1 to 50"),
        ("transactions", "limit", "1 to 500"),
    ] {
        let parameters = &served(&service)["paths"][format!("/api/v1/{path}")]["get"]["parameters"];
        let mut parameters = parameters.as_array().unwrap().iter().map(|one| resolve(served(&service), one));
        let parameter = parameters.find(|one| one["name"] == name).unwrap();
        assert!(parameter["description"].as_str().unwrap().contains(range), "{path}");
        assert!(parameter["schema"].get("minimum").is_none() && parameter["schema"].get("maximum").is_none(), "{path}");
    }
}

#[test]
fn every_operation_says_who_may_ask_what_it_takes_and_what_it_answers() {
    let service = Service::start();
    assert_eq!(served(&service)["security"], json!([{"bearerAuth": []}]));
    let required = Value::Null;
    let optional = json!([{}, {"bearerAuth": []}]);
    let rows = [
        ("me", &required, "", "Me", "401"),
        ("portfolios", &required, "", "PortfolioList", "401"),
        ("holdings", &required, "portfolio", "HoldingList", "401 422"),
        ("dividends", &required, "symbol from to portfolio", "DividendList", "401 422"),
        ("income", &required, "years drip portfolio", "Income", "401 422"),
        ("upcoming", &required, "days portfolio", "Upcoming", "401 422"),
        ("status", &required, "portfolio", "Status", "401 422"),
        ("valuation", &required, "portfolio", "Valuation", "401 422"),
        ("received", &required, "from to portfolio", "Received", "401 422"),
        ("transactions", &required, "symbol from to type portfolio cursor limit", "TransactionList", "401 422"),
        ("radar", &required, "", "Radar", "401"),
        ("whatif", &required, "symbol! shares amount portfolio", "Change", "401 404 422"),
        ("explain", &required, "figure! symbol portfolio", "Explanation", "401 404 422"),
        ("calendar", &optional, "days", "Calendar", "422 429"),
        ("stocks", &optional, "q!", "StockSearch", "422 429"),
        ("stocks/{symbol}", &optional, "symbol!", "Stock", "404 429"),
    ];
    for (path, security, parameters, body, errors) in rows {
        let operation = &served(&service)["paths"][format!("/api/v1/{path}")]["get"];
        assert_eq!(&operation["security"], security, "{path}");
        let named = |one: &Value| format!("{}{}", one["name"].as_str().unwrap(), if one["required"] == true { "!" } else { "" });
        let described = operation["parameters"].as_array().into_iter().flatten();
        let given: Vec<String> = described.map(|one| named(resolve(served(&service), one))).collect();
        assert_eq!(given.join(" "), parameters, "{path}");
        let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
        assert_eq!(schema["$ref"], format!("#/components/schemas/{body}"), "{path}");
        let statuses: Vec<&String> = operation["responses"].as_object().unwrap().keys().collect();
        let mut expected: Vec<&str> = ["200", "304", "default"].into_iter().chain(errors.split(' ')).collect();
        expected.sort_unstable();
        assert_eq!(statuses, expected, "{path}");
    }
}
