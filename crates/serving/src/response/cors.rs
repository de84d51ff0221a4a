//! Cross-origin rules: endpoints for programs are open to every origin, because they use a token in a header and no cookie. Pages where
//! people decide, and introspection, are closed.

use axum::body::Body;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS,
    ACCESS_CONTROL_MAX_AGE, ALLOW,
};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode};

pub fn applies(path: &str) -> bool {
    const OPEN: [&str; 4] = ["/oauth/token", "/oauth/register", "/oauth/revoke", "/oauth/device_authorization"];
    let under = |root: &str| path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    under("/api/v1") || under("/.well-known") || OPEN.contains(&path)
}

pub fn open(headers: &mut HeaderMap) {
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("ETag, Retry-After, RateLimit, RateLimit-Policy"));
}

/// The answer to OPTIONS on a path that exists.
pub fn options(allow: HeaderValue, path: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    if applies(path) {
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, allow.clone());
        let read = if path.starts_with("/api/") {
            "Authorization, If-None-Match"
        } else {
            "Authorization, Content-Type, MCP-Protocol-Version"
        };
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(read));
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    }
    headers.insert(ALLOW, allow);
    response
}
