//! For `fuzz/` alone: what a model gives to a tool.

use serde_json::{Map, Value, json};

use super::arguments::{Parameter, request};
use crate::http::fields;
use crate::http::params::last_segment;

/// Arguments become one path and one query, and read back from there as they were given.
pub fn arguments(text: &[u8]) {
    let Ok(given) = serde_json::from_slice::<Map<String, Value>>(text) else { return };
    let described = [("symbol", "path", "string"), ("days", "query", "integer"), ("portfolio", "query", "string")];
    let parameter = |(name, place, kind): (&str, &str, &str)| {
        Parameter::parse(&json!({"name": name, "in": place, "required": place == "path", "schema": {"type": kind}}))
    };
    let parameters: Vec<Parameter> = described.into_iter().filter_map(parameter).collect();
    let Ok(made) = request("/stocks/{symbol}", &parameters, &given) else { return };
    let (path, query) = made.split_once('?').unwrap_or((&made, ""));
    assert_eq!(path.matches('/').count(), 2, "{path}");
    let text = |name: &str| given.get(name).and_then(Value::as_str);
    let symbol = text("symbol").map(str::trim).filter(|symbol| !symbol.is_empty() && !symbol.contains('\0'));
    assert_eq!(last_segment(path).ok().as_deref(), symbol);
    if text("portfolio").is_none_or(|name| !name.contains('\0')) {
        let pairs = fields::pairs(query).unwrap_or_default();
        let found = |name: &str| pairs.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
        assert_eq!(found("portfolio"), text("portfolio"));
        assert_eq!(found("days").map(str::to_owned), given.get("days").filter(|days| !days.is_null()).map(Value::to_string));
    }
}
