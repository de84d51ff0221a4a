//! References within an OpenAPI document.

use serde_json::Value;

/// What a `$ref` points to, or the value itself.
pub fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|place| document.pointer(place.trim_start_matches('#')));
    target.unwrap_or(value)
}
