//! Adds what all operations share: parameters, headers, 304, and the errors of each kind of endpoint.

use serde_json::{Value, json};

use super::components;
use crate::api::caller::Access;
use crate::api::endpoints::Row;

const RATE_LIMIT: [&str; 2] = ["RateLimit", "RateLimit-Policy"];

pub fn complete<'a>(mut document: Value, rows: impl Iterator<Item = &'a Row>) -> Value {
    document["servers"] = json!([{"url": "/"}]);
    document["components"]["headers"] = components::headers();
    document["components"]["responses"] = components::errors();
    for row in rows {
        let operation = &mut document["paths"][row.path]["get"];
        let takes_query = parameters(operation);
        responses(operation, row.access, takes_query);
    }
    document
}

/// Adds the header that every operation reads, and tells whether it reads a query.
fn parameters(operation: &mut Value) -> bool {
    let mut parameters = match operation["parameters"].take() {
        Value::Array(list) => list,
        _ => Vec::new(),
    };
    let takes_query = parameters.iter().any(|one| one["in"] == "query");
    parameters.push(json!({
        "name": "If-None-Match", "in": "header", "required": false,
        "description": "ETags of responses you already have, or *. If one still matches, the answer is 304 without a body. Anything that is not an ETag is ignored.",
        "schema": {"type": "string"},
        "example": "W/\"5f2b1c0e9a7d4c3b8e6f1a2d3c4b5a69\""
    }));
    operation["parameters"] = Value::Array(parameters);
    takes_query
}

fn responses(operation: &mut Value, access: Access, takes_query: bool) {
    let Some(responses) = operation["responses"].as_object_mut() else { return };
    let mut own = vec!["ETag", "Cache-Control", "Vary"];
    if access == Access::Public {
        own.extend(RATE_LIMIT);
    }
    responses.insert("304".to_owned(), json!({"description": "An ETag in If-None-Match is still current. No body."}));
    for response in responses.values_mut() {
        response["headers"] = components::named(&own);
    }
    let mut errors = components::ANYWHERE.to_vec();
    if access == Access::Token {
        errors.extend([("401", "Unauthorized"), ("403", "Forbidden")]);
    }
    if access == Access::Public {
        errors.push(("429", "RateLimited"));
    }
    if takes_query {
        errors.push(("422", "InvalidParams"));
    }
    for (status, name) in errors {
        responses.insert(status.to_owned(), json!({"$ref": format!("#/components/responses/{name}")}));
    }
    responses.sort_keys();
}
