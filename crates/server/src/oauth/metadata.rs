//! Metadata of the authorization server (RFC 8414) and of the protected resources (RFC 9728).

use app::oauth::register::GRANT_TYPES;
use app::oauth::{Audience, OFFLINE, SCOPE, resource};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::OAuth;

pub async fn server(State(oauth): State<OAuth>) -> Response {
    let base = oauth.base_url();
    let with_secret = ["client_secret_basic", "client_secret_post"];
    let any = ["none", "client_secret_basic", "client_secret_post"];
    document(&json!({
        "issuer": base,
        "authorization_endpoint": format!("{base}/oauth/authorize"),
        "token_endpoint": format!("{base}/oauth/token"),
        "registration_endpoint": format!("{base}/oauth/register"),
        "revocation_endpoint": format!("{base}/oauth/revoke"),
        "introspection_endpoint": format!("{base}/oauth/introspect"),
        "device_authorization_endpoint": format!("{base}/oauth/device_authorization"),
        "service_documentation": format!("{base}/developers"),
        "scopes_supported": [SCOPE, OFFLINE],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": GRANT_TYPES,
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": any,
        "revocation_endpoint_auth_methods_supported": any,
        "introspection_endpoint_auth_methods_supported": with_secret,
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": true,
    }))
}

pub async fn whole(State(oauth): State<OAuth>) -> Response {
    protected(&oauth, oauth.base_url(), "Dripline")
}

pub async fn api(State(oauth): State<OAuth>) -> Response {
    protected(&oauth, &resource(oauth.base_url(), Audience::Api), "Dripline API")
}

pub async fn mcp(State(oauth): State<OAuth>) -> Response {
    protected(&oauth, &resource(oauth.base_url(), Audience::Mcp), "Dripline for AI assistants")
}

fn protected(oauth: &OAuth, resource: &str, name: &str) -> Response {
    let base = oauth.base_url();
    document(&json!({
        "resource": resource,
        "resource_name": name,
        "authorization_servers": [base],
        "scopes_supported": [SCOPE],
        "bearer_methods_supported": ["header"],
        "resource_documentation": format!("{base}/developers"),
    }))
}

fn document(value: &Value) -> Response {
    ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "public, max-age=300")], value.to_string()).into_response()
}
