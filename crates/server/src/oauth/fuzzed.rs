//! For `fuzz/` only: an app's credentials.

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderValue};

use super::sender;

/// Id and secret of an Authorization header; none if it is malformed.
pub fn basic(value: &[u8]) -> Option<(String, String)> {
    let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_bytes(value).ok()?)]);
    sender::basic(&headers).ok().flatten()
}
