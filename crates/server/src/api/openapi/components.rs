//! The headers and errors that operations refer to.

use serde_json::{Map, Value, json};

/// Errors that any request can get.
pub const ANYWHERE: [(&str, &str); 8] = [
    ("400", "BadRequest"),
    ("405", "MethodNotAllowed"),
    ("408", "RequestTimeout"),
    ("413", "PayloadTooLarge"),
    ("414", "UriTooLong"),
    ("431", "HeadersTooLarge"),
    ("500", "Internal"),
    ("503", "Unavailable"),
];

/// References to headers, by name.
pub fn named(names: &[&str]) -> Value {
    let entries = names.iter().map(|name| ((*name).to_owned(), json!({"$ref": format!("#/components/headers/{name}")})));
    Value::Object(entries.collect::<Map<_, _>>())
}

pub fn headers() -> Value {
    let header = |required: bool, description: &str, schema: Value, example: Value| json!({"description": description, "required": required, "schema": schema, "example": example});
    let text = || json!({"type": "string"});
    json!({
        "ETag": header(true, "Identifies this response. Send it in If-None-Match.", json!({"type": "string", "pattern": "^(W/)?\"[^\"]*\"$"}), json!("W/\"5f2b1c0e9a7d4c3b8e6f1a2d3c4b5a69\"")),
        "Cache-Control": header(true, "Who may cache the response, and for how long.", text(), json!("private, no-cache")),
        "Vary": header(true, "Request headers that the response depends on.", text(), json!("Authorization, Accept-Encoding")),
        "RateLimit": header(false, "Requests left (r), and seconds until r rises again (t). Only without a token, on rate-limited endpoints.", text(), json!("\"anon\";r=59;t=60")),
        "RateLimit-Policy": header(false, "Requests allowed (q) per window of w seconds. Only without a token, on rate-limited endpoints.", text(), json!("\"anon\";q=60;w=60")),
        "Retry-After": header(true, "Seconds to wait before trying again.", json!({"type": "integer", "minimum": 1}), json!(17)),
        "WWW-Authenticate": header(true, "Address of the protected-resource metadata.", text(), json!("Bearer resource_metadata=\"https://dripline.example/.well-known/oauth-protected-resource/api/v1\", scope=\"read\"")),
        "Allow": header(true, "The methods this path supports.", text(), json!("GET, HEAD, OPTIONS"))
    })
}

pub fn errors() -> Value {
    json!({
        "BadRequest": error("bad_request", "the request is not valid HTTP, for example without a Host header.", &[]),
        "Unauthorized": error("unauthorized", "the token is missing or invalid.", &["WWW-Authenticate", "Cache-Control", "Vary"]),
        "Forbidden": error("forbidden", "the token is valid, but the account is disabled.", &["Cache-Control", "Vary"]),
        "InvalidParams": error("invalid_params", "a parameter is malformed, or names a portfolio the user does not have. The message names the parameter.", &["Cache-Control", "Vary", "RateLimit", "RateLimit-Policy"]),
        "MethodNotAllowed": error("bad_request", "the method is not GET, HEAD or OPTIONS.", &["Allow"]),
        "RequestTimeout": error("bad_request", "the request took too long to arrive.", &[]),
        "PayloadTooLarge": error("bad_request", "the request body is too large.", &[]),
        "UriTooLong": error("bad_request", "path and query together are longer than 8 KB.", &[]),
        "HeadersTooLarge": error("bad_request", "the request has more than 100 headers, or headers of more than 16 KB.", &[]),
        "RateLimited": error("rate_limited", "more than 60 requests in 60 seconds from one IP address, without a token.", &["Retry-After", "Cache-Control", "RateLimit", "RateLimit-Policy"]),
        "Internal": error("internal", "something went wrong in the service.", &[]),
        "Unavailable": error("unavailable", "the service can't answer right now. Try again later.", &["Retry-After"])
    })
}

fn error(code: &str, when: &str, headers: &[&str]) -> Value {
    let names: Vec<&str> = ["ETag"].iter().chain(headers).copied().collect();
    let example = json!({"error": {"code": code, "message": "What went wrong and what to do, for people."}});
    json!({
        "description": format!("{code}: {when}"),
        "headers": named(&names),
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}, "example": example}}
    })
}
