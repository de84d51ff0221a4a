//! Cross-origin rules of the API: open to every origin, because a token is a header and never a cookie.

use axum::body::Body;
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS,
    ACCESS_CONTROL_MAX_AGE, ALLOW,
};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode};

pub fn applies(path: &str) -> bool {
    path.strip_prefix("/api/v1").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
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
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("Authorization, If-None-Match"));
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    }
    headers.insert(ALLOW, allow);
    response
}
