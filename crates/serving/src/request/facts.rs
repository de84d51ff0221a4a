//! What the end of a response needs to know about its request.

use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, IF_NONE_MATCH, TRANSFER_ENCODING};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};

pub struct RequestFacts {
    pub method: Method,
    pub uri: Uri,
    /// Only for pages.
    pub headers: HeaderMap,
    pub is_api: bool,
    pub if_none_match: Vec<HeaderValue>,
    pub accept_encoding: Vec<HeaderValue>,
    /// Its end may be ambiguous, so no other request may follow on the connection.
    pub chunked: bool,
}

impl RequestFacts {
    pub fn from_request(request: &Request) -> Self {
        let is_api = is_api(request.uri().path());
        let all = |name: HeaderName| request.headers().get_all(name).iter().cloned().collect();
        Self {
            method: request.method().clone(),
            uri: request.uri().clone(),
            headers: if is_api { HeaderMap::new() } else { request.headers().clone() },
            is_api,
            if_none_match: all(IF_NONE_MATCH),
            accept_encoding: all(ACCEPT_ENCODING),
            chunked: request.headers().contains_key(TRANSFER_ENCODING),
        }
    }

    pub fn is_read(&self) -> bool {
        self.method == Method::GET || self.method == Method::HEAD
    }
}

/// Whether the client is a program: it gets JSON even if the path is wrong.
pub fn is_api(path: &str) -> bool {
    let mut segments = path.trim_start_matches('/').split('/');
    match segments.next().unwrap_or_default().to_ascii_lowercase().as_str() {
        "api" | "mcp" | "healthz" | "readyz" => true,
        // Password managers send people there.
        ".well-known" => segments.next() != Some("change-password"),
        // These two are pages for people.
        "oauth" => !matches!(segments.next(), Some("authorize" | "consent")),
        _ => false,
    }
}
