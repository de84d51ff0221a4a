//! Headers of every response that a browser may show.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const RESOURCE: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");

const CLOSED: &str = "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'none'";

/// The first two also apply to programs.
const ALWAYS: [(HeaderName, &str); 7] = [
    (STRICT_TRANSPORT_SECURITY, "max-age=31536000; includeSubDomains"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (OPENER, "same-origin"),
    (RESOURCE, "same-origin"),
    (PERMISSIONS, "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
];

/// A page has already set its own policy with its nonce; everything else gets the strictest one.
pub fn on(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(CLOSED));
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// For responses to programs, in case a browser shows them.
pub fn on_data(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
    for (name, value) in ALWAYS.iter().take(2) {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The same as lines, for responses sent before the path is known. They are not cached.
pub fn lines() -> impl Iterator<Item = String> {
    let own = [(CONTENT_SECURITY_POLICY, CLOSED), (CACHE_CONTROL, "no-store")];
    own.into_iter().chain(ALWAYS).map(|(name, value)| format!("{name}: {value}\r\n"))
}
