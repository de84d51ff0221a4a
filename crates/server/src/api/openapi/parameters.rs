//! What the handlers' attributes cannot express about parameters.

use serde_json::{Value, json};

/// Not blank and without NUL. U+0085 is a blank that `\s` does not cover in some dialects.
const TEXT: &str = r"^[^\u0000]*[^\u0000\u0085\s][^\u0000]*$";

pub fn complete(operation: &mut Value) {
    let mut parameters = match operation["parameters"].take() {
        Value::Array(list) => list,
        _ => Vec::new(),
    };
    parameters.iter_mut().for_each(refine);
    parameters.push(if_none_match());
    operation["parameters"] = Value::Array(parameters);
}

fn refine(parameter: &mut Value) {
    let default = match parameter["name"].as_str() {
        Some("days") => json!(45),
        Some("years") => json!(10),
        Some("drip") => json!(false),
        _ => Value::Null,
    };
    let Some(schema) = parameter["schema"].as_object_mut() else { return };
    if !default.is_null() {
        schema.insert("default".to_owned(), default);
    }
    if schema["type"] == "integer" {
        // A number of any length is accepted and clamped, so no format applies.
        schema.remove("format");
    }
    if schema["type"] == "string" && !schema.contains_key("format") {
        schema.insert("pattern".to_owned(), json!(TEXT));
    }
}

fn if_none_match() -> Value {
    json!({
        "name": "If-None-Match", "in": "header", "required": false,
        "description": "ETags of responses you already have, or *. If one still matches, the answer is 304 without a body. Anything that is not an ETag is ignored.",
        "schema": {"type": "string"},
        "example": "W/\"5f2b1c0e9a7d4c3b8e6f1a2d3c4b5a69\""
    })
}
