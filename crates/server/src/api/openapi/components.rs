//! The headers and errors that operations refer to.

use serde_json::{Map, Value, json};

/// The errors that can meet any request, whatever it asks for.
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
        "ETag": header(true, "Tag of these bytes; send it in If-None-Match.", json!({"type": "string", "pattern": "^(W/)?\"[^\"]*\"$"}), json!("W/\"5f2b1c0e9a7d4c3b8e6f1a2d3c4b5a69\"")),
        "Cache-Control": header(true, "Who may keep the answer, and for how long.", text(), json!("private, no-cache")),
        "Vary": header(true, "What the answer depends on.", text(), json!("Authorization, Accept-Encoding")),
        "RateLimit": header(false, "Requests left (r) and seconds until the next one frees up (t). Anonymous answers of counted endpoints only.", text(), json!("\"anon\";r=59;t=60")),
        "RateLimit-Policy": header(false, "Requests (q) per window in seconds (w). Anonymous answers of counted endpoints only.", text(), json!("\"anon\";q=60;w=60")),
        "Retry-After": header(true, "Whole seconds until it is worth trying again.", json!({"type": "integer", "minimum": 1}), json!(17)),
        "WWW-Authenticate": header(true, "Names the protected-resource metadata.", text(), json!("Bearer resource_metadata=\"https://dripline.example/.well-known/oauth-protected-resource/api/v1\", scope=\"read\"")),
        "Allow": header(true, "The methods this path knows.", text(), json!("GET, HEAD, OPTIONS"))
    })
}

pub fn errors() -> Value {
    json!({
        "BadRequest": error("bad_request", "the request is broken as HTTP, such as one without a Host.", &[]),
        "Unauthorized": error("unauthorized", "no token, or an invalid one.", &["WWW-Authenticate", "Cache-Control", "Vary"]),
        "Forbidden": error("forbidden", "the token is valid, but the account is disabled or the scope is missing.", &["Cache-Control", "Vary"]),
        "InvalidParams": error("invalid_params", "a parameter is malformed or names nothing of the user's; the message says which.", &["Cache-Control", "Vary", "RateLimit", "RateLimit-Policy"]),
        "MethodNotAllowed": error("bad_request", "the API only reads.", &["Allow"]),
        "RequestTimeout": error("bad_request", "the request took too long to arrive.", &[]),
        "PayloadTooLarge": error("bad_request", "the request has a body that is too large.", &[]),
        "UriTooLong": error("bad_request", "path and query are over 8 KB.", &[]),
        "HeadersTooLarge": error("bad_request", "the headers are over 16 KB or more than 100.", &[]),
        "RateLimited": error("rate_limited", "more than 60 requests without a token in 60 seconds.", &["Retry-After", "Cache-Control", "RateLimit", "RateLimit-Policy"]),
        "Internal": error("internal", "the service failed.", &[]),
        "Unavailable": error("unavailable", "the service cannot answer now; try again later.", &["Retry-After"])
    })
}

fn error(code: &str, when: &str, headers: &[&str]) -> Value {
    let names: Vec<&str> = ["ETag"].iter().chain(headers).copied().collect();
    let example = json!({"error": {"code": code, "message": "A sentence for humans that says what to do."}});
    json!({
        "description": format!("{code}: {when}"),
        "headers": named(&names),
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}, "example": example}}
    })
}
