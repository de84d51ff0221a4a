//! Self-contained schemas of the tools, from the API's description.

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
    match inlined(schema, &openapi["components"]["schemas"]) {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

/// Replaces references with their schemas and drops examples. No schema of the API contains itself.
fn inlined(schema: &Value, all: &Value) -> Value {
    match schema {
        Value::Object(object) => {
            if let Some(name) = object.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix(REFERENCE)) {
                return inlined(&all[name], all);
            }
            let kept = object.iter().filter(|(key, value)| !is_example(key) || is_schema(value));
            Value::Object(kept.map(|(key, value)| (key.clone(), inlined(value, all))).collect())
        }
        Value::Array(list) => Value::Array(list.iter().map(|item| inlined(item, all)).collect()),
        other => other.clone(),
    }
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
            assert!(!text.contains("$ref") && !text.contains("\"example\""), "{}", operation.tool.name);
            assert_eq!(operation.tool.output_schema.unwrap()["type"], json!("object"), "{}", operation.tool.name);
        }
    }
}
