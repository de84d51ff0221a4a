//! Turns the arguments of a tool call into an API request. Errors tell the model how to correct them.

use messages::mcp::Mcp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

use crate::api::parameters::DECIMAL_PATTERN;

const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// What models call a parameter, in spite of its name.
const OTHER_NAMES: [(&str, &str); 1] = [("q", "query")];

pub struct Parameter {
    pub name: String,
    /// Taken instead of `name`.
    pub other_name: Option<&'static str>,
    pub required: bool,
    pub schema: Map<String, Value>,
    in_path: bool,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    /// Written as text, so that no digit is lost.
    Decimal,
    Integer,
    Boolean,
}

/// What is wrong with the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArgumentError {
    NotText { name: String },
    NotInteger { name: String },
    NotBoolean { name: String },
    Missing { name: String },
    Empty { name: String },
    Twice { name: String, other: &'static str },
    Unknown { name: String, known: Vec<String> },
}

impl ArgumentError {
    pub fn text(&self, texts: &Mcp) -> String {
        match self {
            ArgumentError::NotText { name } => texts.not_text(name.as_str()),
            ArgumentError::NotInteger { name } => texts.not_integer(name.as_str()),
            ArgumentError::NotBoolean { name } => texts.not_boolean(name.as_str()),
            ArgumentError::Missing { name } => texts.missing(name.as_str()),
            ArgumentError::Empty { name } => texts.empty(name.as_str()),
            ArgumentError::Twice { name, other } => texts.given_twice(name.as_str(), *other),
            ArgumentError::Unknown { name, known } if known.is_empty() => texts.takes_nothing(name.as_str()),
            ArgumentError::Unknown { name, known } => {
                let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
                texts.unknown_argument(name.as_str(), known.join(", "))
            }
        }
    }
}

impl Parameter {
    /// From the API's description; none for a header.
    pub fn parse(described: &Value) -> Option<Parameter> {
        let place = described["in"].as_str().filter(|place| ["query", "path"].contains(place))?;
        let mut schema = described["schema"].as_object()?.clone();
        let kind = match schema.get("type")? {
            Value::String(kind) if kind == "integer" => Kind::Integer,
            Value::String(kind) if kind == "boolean" => Kind::Boolean,
            _ if schema.get("pattern").is_some_and(|pattern| pattern == DECIMAL_PATTERN) => Kind::Decimal,
            _ => Kind::Text,
        };
        // Excludes control characters, in a syntax that not every client supports.
        schema.remove("pattern");
        if let Some(text) = described["description"].as_str() {
            schema.insert("description".to_owned(), text.into());
        }
        let required = described["required"].as_bool().unwrap_or(false);
        let name = described["name"].as_str()?.to_owned();
        let other_name = OTHER_NAMES.iter().find(|(known, _)| *known == name).map(|(_, other)| *other);
        Some(Parameter { name, other_name, required, schema, in_path: place == "path", kind })
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.other_name.into_iter().chain([self.name.as_str()])
    }

    fn given<'a>(&self, arguments: &'a Map<String, Value>) -> Result<Option<&'a Value>, ArgumentError> {
        let mut values = self.names().filter_map(|name| arguments.get(name)).filter(|value| !value.is_null());
        match (values.next(), values.next(), self.other_name) {
            (Some(one), Some(two), Some(other)) if one != two => Err(ArgumentError::Twice { name: self.name.clone(), other }),
            (one, ..) => Ok(one),
        }
    }

    fn text(&self, value: &Value) -> Result<String, ArgumentError> {
        let name = || self.name.clone();
        match (self.kind, value) {
            (Kind::Text, Value::String(text)) => Ok(text.clone()),
            (Kind::Decimal, Value::String(text)) => Ok(text.clone()),
            (Kind::Decimal, Value::Number(number)) => Ok(number.to_string()),
            (Kind::Integer, Value::Number(number)) if number.is_i64() || number.is_u64() => Ok(number.to_string()),
            (Kind::Boolean, Value::Bool(flag)) => Ok(flag.to_string()),
            (Kind::Text | Kind::Decimal, _) => Err(ArgumentError::NotText { name: name() }),
            (Kind::Integer, _) => Err(ArgumentError::NotInteger { name: name() }),
            (Kind::Boolean, _) => Err(ArgumentError::NotBoolean { name: name() }),
        }
    }
}

/// Path and query of the API request.
pub fn request(path: &str, parameters: &[Parameter], arguments: &Map<String, Value>) -> Result<String, ArgumentError> {
    let known: Vec<&str> = parameters.iter().flat_map(Parameter::names).collect();
    if let Some(unknown) = arguments.keys().find(|name| !known.contains(&name.as_str())) {
        let known = known.into_iter().map(str::to_owned).collect();
        return Err(ArgumentError::Unknown { name: unknown.clone(), known });
    }
    let mut path = path.to_owned();
    let mut query = Vec::new();
    for parameter in parameters {
        let Some(value) = parameter.given(arguments)? else {
            if parameter.required {
                let name = parameter.other_name.unwrap_or(&parameter.name).to_owned();
                return Err(ArgumentError::Missing { name });
            }
            continue;
        };
        let text = parameter.text(value)?;
        if text.is_empty() {
            return Err(ArgumentError::Empty { name: parameter.name.clone() });
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

/// A segment of dots alone would change the path.
fn in_one_segment(escaped: &str) -> String {
    if escaped.bytes().all(|byte| byte == b'.') { escaped.replace('.', "%2E") } else { escaped.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn texts() -> Mcp {
        Mcp::load(messages::by_preference(""))
    }

    fn parameter(name: &str, place: &str, kind: &str) -> Parameter {
        Parameter::parse(&json!({"name": name, "in": place, "required": place == "path", "schema": {"type": kind}})).unwrap()
    }

    fn path(arguments: Value) -> Result<String, String> {
        let parameters = [
            parameter("days", "query", "integer"),
            parameter("drip", "query", "boolean"),
            parameter("portfolio", "query", "string"),
        ];
        request("/p", &parameters, arguments.as_object().unwrap()).map_err(|error| error.text(&texts()))
    }

    #[test]
    fn arguments_become_a_query() {
        assert_eq!(path(json!({})).unwrap(), "/p");
        assert_eq!(
            path(json!({"portfolio": "Core & ä", "days": -5, "drip": true})).unwrap(),
            "/p?days=-5&drip=true&portfolio=Core%20%26%20%C3%A4"
        );
        assert_eq!(path(json!({"days": null})).unwrap(), "/p");
    }

    #[test]
    fn an_error_says_what_to_correct() {
        assert_eq!(path(json!({"days": "30"})).unwrap_err(), "`days` must be a whole number without quotes, such as 30.");
        assert_eq!(path(json!({"days": 1.5})).unwrap_err(), "`days` must be a whole number without quotes, such as 30.");
        assert_eq!(path(json!({"drip": "yes"})).unwrap_err(), "`drip` must be true or false, without quotes.");
        assert_eq!(path(json!({"portfolio": 7})).unwrap_err(), "`portfolio` must be a string, such as \"KO\".");
        assert_eq!(
            path(json!({"tage": 1})).unwrap_err(),
            "There is no argument `tage`. This tool takes `days`, `drip`, `portfolio`."
        );
    }

    #[test]
    fn a_query_has_two_names_but_one_value() {
        let parameters = [parameter("q", "query", "string")];
        let path = |arguments: Value| request("/p", &parameters, arguments.as_object().unwrap());
        for arguments in
            [json!({"q": "ko"}), json!({"query": "ko"}), json!({"q": "ko", "query": "ko"}), json!({"q": null, "query": "ko"})]
        {
            assert_eq!(path(arguments).unwrap(), "/p?q=ko");
        }
        let sentence = path(json!({"q": "ko", "query": "pep"})).unwrap_err().text(&texts());
        assert_eq!(sentence, "`query` and `q` are the same argument. Give one of them.");
    }

    #[test]
    fn a_symbol_stays_one_path_segment() {
        let parameters = [parameter("symbol", "path", "string")];
        let path = |symbol: &str| request("/stocks/{symbol}", &parameters, json!({"symbol": symbol}).as_object().unwrap());
        assert_eq!(path("BRK.B").unwrap(), "/stocks/BRK.B");
        assert_eq!(path("a/b?c").unwrap(), "/stocks/a%2Fb%3Fc");
        assert_eq!(path("..").unwrap(), "/stocks/%2E%2E");
        assert_eq!(path(""), Err(ArgumentError::Empty { name: "symbol".to_owned() }));
        let missing = ArgumentError::Missing { name: "symbol".to_owned() };
        assert_eq!(request("/stocks/{symbol}", &parameters, &Map::new()), Err(missing));
    }
}
