//! Self-contained schemas of the tools, from the API's description.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::arguments::Parameter;

const REFERENCE: &str = "#/components/schemas/";

pub fn input(parameters: &[Parameter]) -> Map<String, Value> {
    let named = |parameter: &Parameter| {
        let schema = Value::Object(parameter.schema.clone());
        parameter.names().map(|name| (name.to_owned(), schema.clone())).collect::<Vec<_>>()
    };
    let properties: Map<String, Value> = parameters.iter().flat_map(named).collect();
    // Of two names, either will do.
    let required = parameters.iter().filter(|parameter| parameter.required && parameter.other_name.is_none());
    let required: Vec<&str> = required.map(|one| one.name.as_str()).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}

pub fn output(schema: &Value, openapi: &Value) -> Map<String, Value> {
    let all = &openapi["components"]["schemas"];
    let Value::Object(mut output) = inlined(schema, all) else { return Map::new() };
    let recursive: Map<String, Value> =
        recursive(schema, all).into_iter().map(|name| (name.to_owned(), body(&all[name], all))).collect();
    if !recursive.is_empty() {
        output.insert("$defs".to_owned(), recursive.into());
    }
    output
}

/// Replaces references with their schemas and drops examples. A schema that contains itself stays a reference.
fn inlined(schema: &Value, all: &Value) -> Value {
    match target(schema) {
        Some(name) if contains_itself(name, all) => json!({"$ref": format!("#/$defs/{name}")}),
        Some(name) => inlined(&all[name], all),
        None => body(schema, all),
    }
}

fn body(schema: &Value, all: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            let kept = object.iter().filter(|(key, value)| !is_example(key) || is_schema(value));
            Value::Object(kept.map(|(key, value)| (key.clone(), inlined(value, all))).collect())
        }
        Value::Array(list) => Value::Array(list.iter().map(|item| inlined(item, all)).collect()),
        other => other.clone(),
    }
}

fn target(schema: &Value) -> Option<&str> {
    schema.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix(REFERENCE))
}

/// The names that a schema refers to, without those that these refer to.
fn targets<'a>(schema: &'a Value, found: &mut Vec<&'a str>) {
    found.extend(target(schema));
    match schema {
        Value::Object(object) => object.values().for_each(|value| targets(value, found)),
        Value::Array(list) => list.iter().for_each(|value| targets(value, found)),
        _ => {}
    }
}

fn contains_itself(name: &str, all: &Value) -> bool {
    let mut found = Vec::new();
    targets(&all[name], &mut found);
    found.contains(&name)
}

/// The schemas that contain themselves, of all that a schema refers to.
fn recursive<'a>(schema: &'a Value, all: &'a Value) -> BTreeSet<&'a str> {
    let (mut open, mut seen) = (Vec::new(), BTreeSet::new());
    targets(schema, &mut open);
    while let Some(name) = open.pop() {
        if seen.insert(name) {
            targets(&all[name], &mut open);
        }
    }
    seen.retain(|name| contains_itself(name, all));
    seen
}

/// A property can also be called `example`.
fn is_schema(value: &Value) -> bool {
    value.get("type").is_some_and(Value::is_string)
}

fn is_example(key: &str) -> bool {
    key == "example" || key == "examples"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::openapi::DOCUMENT_3_1;

    #[test]
    fn a_schema_refers_to_nothing_outside_itself() {
        for operation in super::super::tools::all(&DOCUMENT_3_1) {
            let text = serde_json::to_string(&operation.tool).unwrap();
            assert!(!text.contains(REFERENCE) && !text.contains("\"example\""), "{}", operation.tool.name);
            assert_eq!(operation.tool.output_schema.unwrap()["type"], json!("object"), "{}", operation.tool.name);
        }
    }
}
