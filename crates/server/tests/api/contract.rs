//! Every answer in these tests is validated against the served OpenAPI document.

use std::sync::OnceLock;

use serde_json::{Map, Value, json};
use testkit::{Answer, Service};

pub fn get(service: &Service, path: &str, token: Option<&str>) -> Answer {
    ask(service, "GET", path, token, &[])
}

pub fn ask(service: &Service, method: &str, path: &str, token: Option<&str>, headers: &[(&str, &str)]) -> Answer {
    let answer = service.request(method, path, token, headers);
    Asked { method, path: path.split('?').next().unwrap_or_default() }.check(&answer, served(service));
    answer
}

/// The body of the answer, which must be a 200.
pub fn ok(service: &Service, path: &str, token: Option<&str>) -> Value {
    let answer = get(service, path, token);
    assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// The message of the error, which must have this status and code.
pub fn error(service: &Service, path: &str, token: Option<&str>, status: u16, code: &str) -> String {
    let answer = get(service, path, token);
    assert_eq!((answer.status, answer.error_code().as_str()), (status, code), "{path}");
    answer.json()["error"]["message"].as_str().unwrap_or_default().to_owned()
}

/// The served OpenAPI document; the same for every service of a build.
pub fn served(service: &Service) -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| service.get("/api/v1/openapi.json", None).json())
}

/// The errors of the response that all operations share.
const OTHER: [u16; 9] = [400, 403, 405, 408, 413, 414, 431, 500, 503];

struct Asked<'a> {
    method: &'a str,
    path: &'a str,
}

impl Asked<'_> {
    fn check(&self, answer: &Answer, document: &Value) {
        let place = format!("{} {} → {}", self.method, self.path, answer.status);
        let tag = answer.header("etag");
        assert!(tag.len() == 36 && tag.starts_with("W/\"") && tag.ends_with('"'), "{place}: ETag {tag:?}");
        let limit = ["ratelimit", "ratelimit-policy"].map(|name| answer.headers.contains_key(name));
        assert_eq!(limit[0], limit[1], "{place}: one of the limit's headers without the other");
        if self.method == "OPTIONS" && answer.status == 204 {
            return assert!(answer.body.is_empty(), "{place}");
        }
        let Some(operation) = operation(document, self.path) else {
            assert!(answer.status >= 400, "{place}: the document does not know this path");
            return self.check_body(&place, answer, document, &json!({"$ref": "#/components/schemas/Error"}));
        };
        let responses = &operation["responses"];
        let response = responses
            .get(answer.status.to_string())
            .or_else(|| responses.get("default").filter(|_| OTHER.contains(&answer.status)));
        let response = response.unwrap_or_else(|| panic!("{place}: the document does not know this status"));
        let response = resolve(document, response);
        for name in response["headers"].as_object().into_iter().flatten().map(|(name, _)| name.to_lowercase()) {
            assert!(name.starts_with("ratelimit") || answer.headers.contains_key(&name), "{place}: {name} is missing");
        }
        match response.get("content") {
            Some(content) => self.check_body(&place, answer, document, &content["application/json"]["schema"]),
            None => assert!(answer.body.is_empty(), "{place}: a body"),
        }
    }

    fn check_body(&self, place: &str, answer: &Answer, document: &Value, schema: &Value) {
        assert_eq!(answer.header("content-type"), "application/json", "{place}");
        if self.method == "HEAD" {
            return assert!(answer.body.is_empty(), "{place}");
        }
        if answer.headers.contains_key("content-encoding") {
            return;
        }
        let mistakes = mistakes(document, schema, &answer.json());
        assert_eq!(mistakes, Vec::<String>::new(), "{place} is not as documented: {}", String::from_utf8_lossy(&answer.body));
    }
}

pub fn operation<'a>(document: &'a Value, path: &str) -> Option<&'a Value> {
    let symbol = path.strip_prefix("/api/v1/stocks/").filter(|rest| !rest.is_empty() && !rest.contains('/'));
    let path = if symbol.is_some() { "/api/v1/stocks/{symbol}" } else { path };
    document["paths"].get(path).map(|item| &item["get"])
}

pub fn resolve<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    match part["$ref"].as_str() {
        Some(place) => document.pointer(place.trim_start_matches('#')).unwrap_or(&Value::Null),
        None => part,
    }
}

/// Differences between body and schema; stricter than the document, like the contract: nothing undocumented, and
/// nullable fields must be present.
pub fn mistakes(document: &Value, schema: &Value, body: &Value) -> Vec<String> {
    mistakes_of(document, schema, body, json!(false))
}

/// The same, but the body may have more fields than the schema.
pub fn mistakes_but_additions(document: &Value, schema: &Value, body: &Value) -> Vec<String> {
    mistakes_of(document, schema, body, json!(true))
}

fn mistakes_of(document: &Value, schema: &Value, body: &Value, additions: Value) -> Vec<String> {
    let mut root = schema.clone();
    root["components"] = json!({"schemas": document["components"]["schemas"]});
    strict(&mut root, &additions);
    let validator = jsonschema::draft202012::options().should_validate_formats(true).build(&root).unwrap();
    validator.iter_errors(body).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

fn strict(node: &mut Value, additions: &Value) {
    match node {
        Value::Object(object) => {
            object.values_mut().for_each(|value| strict(value, additions));
            close(object, additions);
            null_type(object);
        }
        Value::Array(list) => list.iter_mut().for_each(|value| strict(value, additions)),
        _ => {}
    }
}

/// The properties have been made strict already: what may be null shows it as JSON Schema does.
fn close(object: &mut Map<String, Value>, additions: &Value) {
    let Some(Value::Object(properties)) = object.get("properties") else { return };
    let nullable = properties.iter().filter(|(_, one)| one["type"].is_array() || one["anyOf"].is_array());
    let mut required: Vec<Value> = nullable.map(|(name, _)| json!(name)).collect();
    required.extend(object.get("required").and_then(Value::as_array).into_iter().flatten().cloned());
    required.sort_by_key(Value::to_string);
    required.dedup();
    object.insert("required".to_owned(), Value::Array(required));
    object.insert("additionalProperties".to_owned(), additions.clone());
}

/// `nullable` of OpenAPI 3.0 → a null type.
fn null_type(object: &mut Map<String, Value>) {
    if object.get("nullable") != Some(&json!(true)) {
        return;
    }
    object.remove("nullable");
    match (object.get("type").cloned(), object.remove("allOf")) {
        (Some(kind), _) => drop(object.insert("type".to_owned(), json!([kind, "null"]))),
        (None, all) => drop(object.insert("anyOf".to_owned(), json!([{"allOf": all}, {"type": "null"}]))),
    }
}

#[test]
fn the_contract_check_finds_undocumented_missing_or_mistyped_fields() {
    let document = json!({"components": {"schemas": {
        "Money": {"type": "object", "required": ["amount"], "properties": {"amount": {"type": "string", "pattern": "^\\d+$"}}},
        "Thing": {"type": "object", "required": ["day"], "properties": {
            "day": {"type": "string", "format": "date"},
            "name": {"type": "string", "nullable": true},
            "cost": {"allOf": [{"$ref": "#/components/schemas/Money"}], "nullable": true},
            "slug": {"type": "string"}
        }}
    }}});
    let found = |body: Value| mistakes(&document, &json!({"$ref": "#/components/schemas/Thing"}), &body).len();
    assert_eq!(found(json!({"day": "2026-11-15", "name": null, "cost": null})), 0);
    assert_eq!(found(json!({"day": "2026-11-15", "name": "x", "cost": {"amount": "1"}, "slug": "s"})), 0);
    for wrong in [
        json!({"day": "2026-11-15", "name": null, "cost": null, "extra": 1}),
        json!({"day": "2026-11-15", "cost": null}),
        json!({"day": "2026-11-15", "name": null}),
        json!({"name": null, "cost": null}),
        json!({"day": "2026-11-31", "name": null, "cost": null}),
        json!({"day": "2026-11-15", "name": 1, "cost": null}),
        json!({"day": "2026-11-15", "name": null, "cost": {"amount": 1}}),
        json!({"day": "2026-11-15", "name": null, "cost": {"amount": "1", "extra": 1}}),
        json!({"day": "2026-11-15", "name": null, "cost": null, "slug": null}),
    ] {
        assert_ne!(found(wrong.clone()), 0, "{wrong}");
    }
}
