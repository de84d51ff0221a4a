//! Adds what all operations share: headers, 304, and the errors of each kind of endpoint.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::components;
use crate::api::caller::Access;
use crate::api::endpoints::Row;

pub fn complete<'a>(mut document: Value, rows: impl Iterator<Item = &'a Row>) -> Value {
    document["servers"] = json!([{"url": "/"}]);
    document["components"]["headers"] = components::headers();
    document["components"]["responses"] = components::responses();
    for row in rows {
        let operation = &mut document["paths"][row.path]["get"];
        optional_in_short(operation);
        responses(operation, row.access);
    }
    plain_integers(&mut document);
    share_parameters(&mut document);
    document["components"]["schemas"].as_object_mut().into_iter().flat_map(Map::values_mut).for_each(always_present);
    document
}

/// A parameter of several operations is described once.
fn share_parameters(document: &mut Value) {
    let of_all = |document: &Value| -> Vec<Value> {
        let operations = document["paths"].as_object().into_iter().flatten();
        operations.flat_map(|(_, item)| item["get"]["parameters"].as_array().cloned().unwrap_or_default()).collect()
    };
    let all = of_all(document);
    let mut shared = Map::new();
    for (index, parameter) in all.iter().enumerate() {
        let name = parameter["name"].as_str().unwrap_or_default();
        if all[..index].contains(parameter) && !shared.contains_key(name) {
            shared.insert(name.to_owned(), parameter.clone());
        }
    }
    for item in document["paths"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        for parameter in parameters_of(&mut item["get"]) {
            let name = parameter["name"].as_str().unwrap_or_default();
            if shared.get(name) == Some(&*parameter) {
                *parameter = json!({"$ref": format!("#/components/parameters/{name}")});
            }
        }
    }
    document["components"]["parameters"] = Value::Object(shared);
}

/// A field that may be null is always sent, so that clients need not tell absent from null.
fn always_present(schema: &mut Value) {
    let may_be_null = |field: &Value| {
        let types = field["type"].as_array().into_iter().flatten();
        let branches = field["oneOf"].as_array().into_iter().flatten().map(|branch| &branch["type"]);
        types.chain(branches).any(|one| one == "null")
    };
    let fields = schema["properties"].as_object().into_iter().flatten();
    let nullable: Vec<Value> = fields.filter(|(_, field)| may_be_null(field)).map(|(name, _)| json!(name)).collect();
    if nullable.is_empty() {
        return;
    }
    let mut required = schema["required"].as_array().cloned().unwrap_or_default();
    required.extend(nullable);
    let mut seen = BTreeSet::new();
    required.retain(|name| seen.insert(name.to_string()));
    schema["required"] = Value::Array(required);
}

/// Optional is what a parameter is unless it says otherwise.
fn optional_in_short(operation: &mut Value) {
    let parameters = parameters_of(operation).filter_map(Value::as_object_mut);
    for parameter in parameters.filter(|parameter| parameter.get("required") == Some(&Value::Bool(false))) {
        parameter.remove("required");
        parameter.remove("example");
    }
}

fn parameters_of(operation: &mut Value) -> impl Iterator<Item = &mut Value> {
    operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten()
}

fn responses(operation: &mut Value, access: Access) {
    let takes_query = operation["parameters"].as_array().is_some_and(|list| list.iter().any(|one| one["in"] == "query"));
    let Some(responses) = operation["responses"].as_object_mut() else { return };
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
