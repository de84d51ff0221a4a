//! Adds what all operations share: parameters, headers, 304, and the errors of each kind of endpoint.

use serde_json::{Value, json};

use super::{components, parameters};

const RATE_LIMIT: [&str; 2] = ["RateLimit", "RateLimit-Policy"];

pub fn complete(mut document: Value) -> Value {
    document["servers"] = json!([{"url": "/"}]);
    document["components"]["headers"] = components::headers();
    document["components"]["responses"] = components::errors();
    let Some(paths) = document["paths"].as_object_mut() else { return document };
    for item in paths.values_mut() {
        let operation = &mut item["get"];
        let kind = Kind::of(operation);
        parameters::complete(operation);
        responses(operation, kind);
    }
    document
}

#[derive(Clone, Copy)]
struct Kind {
    private: bool,
    /// Whether requests without a token are rate-limited.
    limited: bool,
    takes_query: bool,
}

impl Kind {
    fn of(operation: &Value) -> Kind {
        let list = |name: &str| operation[name].as_array().cloned().unwrap_or_default();
        let private = list("security").iter().all(|choice| choice["token"].is_array());
        Kind {
            private,
            limited: !private && !list("tags").contains(&json!("meta")),
            takes_query: list("parameters").iter().any(|one| one["in"] == "query"),
        }
    }
}

fn responses(operation: &mut Value, kind: Kind) {
    let Some(responses) = operation["responses"].as_object_mut() else { return };
    let mut own = vec!["ETag", "Cache-Control", "Vary"];
    if kind.limited {
        own.extend(RATE_LIMIT);
    }
    responses.insert("304".to_owned(), json!({"description": "Not changed since the ETag in If-None-Match. No body."}));
    for response in responses.values_mut() {
        response["headers"] = components::named(&own);
    }
    let mut errors = components::ANYWHERE.to_vec();
    if kind.private {
        errors.extend([("401", "Unauthorized"), ("403", "Forbidden")]);
    }
    if kind.limited {
        errors.push(("429", "RateLimited"));
    }
    if kind.takes_query {
        errors.push(("422", "InvalidParams"));
    }
    for (status, name) in errors {
        responses.insert(status.to_owned(), json!({"$ref": format!("#/components/responses/{name}")}));
    }
    responses.sort_keys();
}
