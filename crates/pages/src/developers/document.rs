//! Reading a JSON document.

use serde_json::Value;

/// Members of an object with their names, or of a list without.
pub fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let named = value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value));
    named.chain(value.as_array().into_iter().flatten().map(|value| ("", value)))
}

/// Also converts numbers, because an example can be one.
pub fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
