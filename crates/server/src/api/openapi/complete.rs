//! What holds for every operation, said once: headers, 304, and the errors each kind of endpoint can answer.

use serde_json::{Map, Value, json};

const RATE_LIMIT: [&str; 2] = ["RateLimit", "RateLimit-Policy"];

pub fn complete(mut document: Value) -> Value {
    document["servers"] = json!([{"url": "/"}]);
    document["components"]["headers"] = headers();
    document["components"]["responses"] = errors();
    let Some(paths) = document["paths"].as_object_mut() else { return document };
    for (path, item) in paths.iter_mut() {
        let operation = &mut item["get"];
        let private =
            operation["security"].as_array().is_some_and(|choices| choices.iter().all(|choice| choice["token"].is_array()));
        let limited = !private && path != "/api/v1/openapi.json";
        let takes_query = operation["parameters"].as_array().is_some_and(|list| list.iter().any(|one| one["in"] == "query"));
        let Some(responses) = operation["responses"].as_object_mut() else { continue };
        let mut own = vec!["ETag", "Cache-Control", "Vary"];
        if limited {
            own.extend(RATE_LIMIT);
        }
        responses.insert("304".to_owned(), json!({"description": "Unchanged since the ETag in If-None-Match. No body."}));
        for response in responses.values_mut() {
            response["headers"] = named(&own);
        }
        let mut errors = vec![("405", "MethodNotAllowed"), ("500", "Internal"), ("503", "Unavailable")];
        if private {
            errors.extend([("401", "Unauthorized"), ("403", "Forbidden")]);
        }
        if limited {
            errors.push(("429", "RateLimited"));
        }
        if takes_query {
            errors.push(("422", "InvalidParams"));
        }
        for (status, name) in errors {
            responses.insert(status.to_owned(), json!({"$ref": format!("#/components/responses/{name}")}));
        }
        responses.sort_keys();
    }
    document
}

fn named(names: &[&str]) -> Value {
    let entries = names.iter().map(|name| ((*name).to_owned(), json!({"$ref": format!("#/components/headers/{name}")})));
    Value::Object(entries.collect::<Map<_, _>>())
}

fn headers() -> Value {
    let text =
        |description: &str, example: &str| json!({"description": description, "schema": {"type": "string"}, "example": example});
    json!({
        "ETag": text("Tag of these bytes; send it in If-None-Match.", "W/\"5f2b1c0e9a7d4c3b8e6f1a2d3c4b5a69\""),
        "Cache-Control": text("Who may keep the answer, and for how long.", "private, no-cache"),
        "Vary": text("What the answer depends on.", "Authorization"),
        "RateLimit": text("Requests left (r) and seconds until the next one frees up (t). Anonymous answers only.", "\"anon\";r=59;t=60"),
        "RateLimit-Policy": text("Requests (q) per window in seconds (w). Anonymous answers only.", "\"anon\";q=60;w=60"),
        "Retry-After": json!({"description": "Whole seconds until a request would pass.", "schema": {"type": "integer"}, "example": 17}),
        "WWW-Authenticate": text("Names the protected-resource metadata.", "Bearer resource_metadata=\"https://dripline.example/.well-known/oauth-protected-resource/api/v1\""),
        "Allow": text("The methods this path knows.", "GET, HEAD, OPTIONS")
    })
}

fn errors() -> Value {
    let error = |description: &str, extra: &[&str]| {
        let names: Vec<&str> = ["ETag"].iter().chain(extra).copied().collect();
        json!({
            "description": description,
            "headers": named(&names),
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
        })
    };
    json!({
        "Unauthorized": error("unauthorized: no token, or an invalid one.", &["WWW-Authenticate"]),
        "Forbidden": error("forbidden: the token is valid, but the account is disabled or the scope is missing.", &[]),
        "InvalidParams": error("invalid_params: a parameter is malformed or names nothing of the user's; the message says which.", &[]),
        "MethodNotAllowed": error("bad_request: the API only reads.", &["Allow"]),
        "RateLimited": error("rate_limited: more than 60 requests without a token in 60 seconds.", &["Retry-After", "RateLimit", "RateLimit-Policy"]),
        "Internal": error("internal: the service failed.", &[]),
        "Unavailable": error("unavailable: the service cannot answer now; try again later.", &[])
    })
}
