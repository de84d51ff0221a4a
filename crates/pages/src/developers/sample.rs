//! A sample response, built from the examples of its fields.

use serde_json::{Map, Value, json};
use serving::resolved;

use super::document::members;

pub fn render(document: &Value, schema: &Value) -> String {
    serde_json::to_string_pretty(&value(document, schema)).unwrap_or_default()
}

fn value(document: &Value, schema: &Value) -> Value {
    let schema = resolved(document, schema.pointer("/allOf/0").unwrap_or(schema));
    if let Some(example) = schema.get("example") {
        return example.clone();
    }
    if schema["properties"].is_object() {
        let fields = members(&schema["properties"]).map(|(name, field)| (name.to_owned(), value(document, field)));
        return Value::Object(fields.collect::<Map<_, _>>());
    }
    match schema["type"].as_str() {
        Some("array") => json!([value(document, &schema["items"])]),
        Some("integer" | "number") => json!(0),
        Some("boolean") => json!(true),
        Some("object") if schema["additionalProperties"].is_object() => {
            json!({"1": value(document, &schema["additionalProperties"])})
        }
        Some("object") => json!({}),
        _ => schema["enum"].get(0).cloned().unwrap_or_else(|| json!("")),
    }
}
