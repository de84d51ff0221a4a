//! OpenAPI 3.1 → 3.0.3: null types become `nullable`, schema examples become `example`.

use serde_json::{Map, Value, json};

pub fn to_3_0(mut document: Value) -> Value {
    document["openapi"] = json!("3.0.3");
    if let Some(license) = document["info"]["license"].as_object_mut() {
        license.remove("identifier");
    }
    walk(&mut document);
    document
}

fn walk(node: &mut Value) {
    match node {
        Value::Object(object) => {
            null_type(object);
            null_branch(object);
            object.remove("propertyNames");
            object.values_mut().for_each(walk);
        }
        Value::Array(list) => list.iter_mut().for_each(walk),
        _ => {}
    }
}

/// `type: [string, null]` → `type: string, nullable: true`
fn null_type(object: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = object.get("type") else { return };
    let Some(one) = types.iter().find(|one| **one != "null").cloned() else { return };
    let nullable = types.iter().any(|one| one == "null");
    object.insert("type".to_owned(), one);
    if nullable {
        object.insert("nullable".to_owned(), Value::Bool(true));
    }
}

/// `oneOf: [{type: null}, {$ref}]` → `allOf: [{$ref}], nullable: true`
fn null_branch(object: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = object.get("oneOf") else { return };
    let rest: Vec<Value> = branches.iter().filter(|branch| branch["type"] != "null").cloned().collect();
    if rest.len() < branches.len() {
        object.remove("oneOf");
        object.insert("allOf".to_owned(), Value::Array(rest));
        object.insert("nullable".to_owned(), Value::Bool(true));
    }
}
