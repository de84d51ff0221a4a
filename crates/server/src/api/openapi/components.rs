//! The headers and responses that operations refer to.

use serde_json::{Map, Value, json};

/// References to headers, by name.
fn named(names: &[&str]) -> Value {
    let entries = names.iter().map(|name| ((*name).to_owned(), json!({"$ref": format!("#/components/headers/{name}")})));
    Value::Object(entries.collect::<Map<_, _>>())
}

pub fn headers() -> Value {
    let header = |description: &str, schema: Value| json!({"description": description, "schema": schema});
    let text = || json!({"type": "string"});
    json!({
        "RateLimit": header("Requests left (r), and seconds until r rises again (t).", text()),
        "RateLimit-Policy": header("Requests allowed (q) per window of w seconds.", text()),
        "Retry-After": header("Seconds to wait before trying again.", json!({"type": "integer"})),
        "WWW-Authenticate": header("Address of the protected-resource metadata.", text())
    })
}

pub fn responses() -> Value {
    let error = |description: &str, headers: &[&str]| {
        let mut response = json!({
            "description": description,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
        });
        if !headers.is_empty() {
            response["headers"] = named(headers);
        }
        response
    };
    json!({
        "NotModified": {"description": "An ETag in If-None-Match is still current. No body."},
        "Unauthorized": error("unauthorized: the token is missing or invalid.", &["WWW-Authenticate"]),
        "NotFound": error("not_found: no data for this symbol, or the user does not hold it.", &[]),
        "InvalidParams": error("invalid_params: a parameter is malformed, or names a portfolio the user does not have.", &[]),
        "RateLimited": error("rate_limited: over 60 requests a minute from one IP address without a token.", &["Retry-After", "RateLimit", "RateLimit-Policy"]),
        "Error": error("bad_request (400, 405, 408, 413, 414, 431), forbidden (403: the account is disabled), internal (500) or unavailable (503).", &[])
    })
}
