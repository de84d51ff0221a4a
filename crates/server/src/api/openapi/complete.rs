//! Adds what all operations share: headers, 304, and the errors of each kind of endpoint.

use serde_json::{Map, Value, json};

use super::components;
use crate::api::caller::Access;
use crate::api::endpoints::Row;

pub fn complete<'a>(mut document: Value, rows: impl Iterator<Item = &'a Row>) -> Value {
    document["servers"] = json!([{"url": "/"}]);
    document["components"]["headers"] = components::headers();
    document["components"]["responses"] = components::responses();
    for row in rows {
        responses(&mut document["paths"][row.path]["get"], row.access);
    }
    plain_integers(&mut document);
    document
}

fn responses(operation: &mut Value, access: Access) {
    let takes_query = operation["parameters"].as_array().is_some_and(|list| list.iter().any(|one| one["in"] == "query"));
    let Some(responses) = operation["responses"].as_object_mut() else { return };
    for response in responses.values_mut() {
        response["headers"] = components::named(&["ETag"]);
    }
    let mut shared = vec![("304", "NotModified"), ("default", "Error")];
    match access {
        Access::Token => shared.push(("401", "Unauthorized")),
        Access::Public => shared.push(("429", "RateLimited")),
        Access::Unlimited => {}
    }
    if takes_query {
        shared.push(("422", "InvalidParams"));
    }
    for (status, name) in shared {
        responses.insert(status.to_owned(), json!({"$ref": format!("#/components/responses/{name}")}));
    }
    responses.sort_keys();
}

/// Without the width that they have in the service: clients would have two kinds of whole number.
fn plain_integers(node: &mut Value) {
    match node {
        Value::Object(object) => {
            if is_integer(object) {
                object.remove("format");
                object.remove("minimum");
            }
            object.values_mut().for_each(plain_integers);
        }
        Value::Array(list) => list.iter_mut().for_each(plain_integers),
        _ => {}
    }
}

fn is_integer(schema: &Map<String, Value>) -> bool {
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(|one| one == "integer"),
        Some(one) => one == "integer",
        None => false,
    }
}
