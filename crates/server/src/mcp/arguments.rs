//! What a model gives to a tool, made a request to the API. What it got wrong is told in words that it can repair.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

pub struct Parameter {
    pub name: String,
    pub required: bool,
    pub schema: Map<String, Value>,
    in_path: bool,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Integer,
    Boolean,
}

impl Parameter {
    /// As the API describes it; none for a header.
    pub fn of(described: &Value) -> Option<Parameter> {
        let place = described["in"].as_str().filter(|place| ["query", "path"].contains(place))?;
        let mut schema = described["schema"].as_object()?.clone();
        let kind = match schema.get("type")? {
            Value::String(kind) if kind == "integer" => Kind::Integer,
            Value::String(kind) if kind == "boolean" => Kind::Boolean,
            _ => Kind::Text,
        };
        // Control characters, told in a way that not every client's checker reads.
        schema.remove("pattern");
        if let Some(text) = described["description"].as_str() {
            schema.insert("description".to_owned(), text.into());
        }
        let required = described["required"].as_bool().unwrap_or(false);
        Some(Parameter { name: described["name"].as_str()?.to_owned(), required, schema, in_path: place == "path", kind })
    }

    fn text(&self, value: &Value) -> Result<String, String> {
        match (self.kind, value) {
            (Kind::Text, Value::String(text)) => Ok(text.clone()),
            (Kind::Integer, Value::Number(number)) if number.is_i64() || number.is_u64() => Ok(number.to_string()),
            (Kind::Boolean, Value::Bool(flag)) => Ok(flag.to_string()),
            (Kind::Text, _) => Err(format!("`{}` is a text, such as \"KO\".", self.name)),
            (Kind::Integer, _) => Err(format!("`{}` is a whole number, such as 30, without quotes.", self.name)),
            (Kind::Boolean, _) => Err(format!("`{}` is true or false, without quotes.", self.name)),
        }
    }
}

/// Path and query of the request that the arguments stand for.
pub fn request(path: &str, parameters: &[Parameter], arguments: &Map<String, Value>) -> Result<String, String> {
    if let Some(unknown) = arguments.keys().find(|name| !parameters.iter().any(|parameter| parameter.name == **name)) {
        let names: Vec<String> = parameters.iter().map(|parameter| format!("`{}`", parameter.name)).collect();
        let taken = if names.is_empty() { "no arguments".to_owned() } else { names.join(", ") };
        return Err(format!("There is no argument `{unknown}`; this tool takes {taken}."));
    }
    let mut path = path.to_owned();
    let mut query = Vec::new();
    for parameter in parameters {
        let given = arguments.get(&parameter.name).filter(|value| !value.is_null());
        let Some(value) = given else {
            if parameter.required {
                return Err(format!("The argument `{}` is missing.", parameter.name));
            }
            continue;
        };
        let text = parameter.text(value)?;
        if text.is_empty() {
            return Err(format!("The argument `{}` is empty; leave it out, or give it a value.", parameter.name));
        }
        let escaped = utf8_percent_encode(&text, VALUE).to_string();
        match parameter.in_path {
            true => path = path.replace(&format!("{{{}}}", parameter.name), &in_one_segment(&escaped)),
            false => query.push(format!("{}={escaped}", parameter.name)),
        }
    }
    if !query.is_empty() {
        path = format!("{path}?{}", query.join("&"));
    }
    Ok(path)
}

/// A text that is only dots would be another path.
fn in_one_segment(escaped: &str) -> String {
    if escaped.bytes().all(|byte| byte == b'.') { escaped.replace('.', "%2E") } else { escaped.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parameter(name: &str, place: &str, kind: &str) -> Parameter {
        Parameter::of(&json!({"name": name, "in": place, "required": place == "path", "schema": {"type": kind}})).unwrap()
    }

    fn path_of(arguments: Value) -> Result<String, String> {
        let parameters = [
            parameter("days", "query", "integer"),
            parameter("drip", "query", "boolean"),
            parameter("portfolio", "query", "string"),
        ];
        request("/p", &parameters, arguments.as_object().unwrap())
    }

    #[test]
    fn arguments_become_a_query() {
        assert_eq!(path_of(json!({})).unwrap(), "/p");
        assert_eq!(
            path_of(json!({"portfolio": "Core & ä", "days": -5, "drip": true})).unwrap(),
            "/p?days=-5&drip=true&portfolio=Core%20%26%20%C3%A4"
        );
        assert_eq!(path_of(json!({"days": null})).unwrap(), "/p");
    }

    #[test]
    fn an_invalid_argument_is_explained() {
        assert_eq!(path_of(json!({"days": "30"})).unwrap_err(), "`days` is a whole number, such as 30, without quotes.");
        assert_eq!(path_of(json!({"days": 1.5})).unwrap_err(), "`days` is a whole number, such as 30, without quotes.");
        assert_eq!(path_of(json!({"drip": "yes"})).unwrap_err(), "`drip` is true or false, without quotes.");
        assert_eq!(path_of(json!({"portfolio": 7})).unwrap_err(), "`portfolio` is a text, such as \"KO\".");
        assert_eq!(
            path_of(json!({"tage": 1})).unwrap_err(),
            "There is no argument `tage`; this tool takes `days`, `drip`, `portfolio`."
        );
    }

    #[test]
    fn a_symbol_stays_one_path_segment() {
        let parameters = [parameter("symbol", "path", "string")];
        let path_of = |symbol: &str| request("/stocks/{symbol}", &parameters, json!({"symbol": symbol}).as_object().unwrap());
        assert_eq!(path_of("BRK.B").unwrap(), "/stocks/BRK.B");
        assert_eq!(path_of("a/b?c").unwrap(), "/stocks/a%2Fb%3Fc");
        assert_eq!(path_of("..").unwrap(), "/stocks/%2E%2E");
        assert!(path_of("").is_err());
        assert_eq!(request("/stocks/{symbol}", &parameters, &Map::new()).unwrap_err(), "The argument `symbol` is missing.");
    }
}
