//! For `fuzz/` alone: who an app says it is.

use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderValue};

use super::sender;

/// Id and secret of an Authorization. None of what cannot be read as both.
pub fn basic(value: &[u8]) -> Option<(String, String)> {
    let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_bytes(value).ok()?)]);
    sender::basic(&headers).ok().flatten()
}
