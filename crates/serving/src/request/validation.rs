//! Checks a request before routing.

use axum::body::{Body, HttpBody};
use axum::http::header::{CONTENT_LENGTH, HOST};
use axum::http::uri::Authority;
use axum::http::{Request, Version};

use crate::options::Options;
use crate::response::error::ApiError;

/// Set by the connection on a request with a fault that hyper hides: see `connection::framing`.
#[derive(Debug, Clone, Copy)]
pub struct Ambiguous;

pub fn check(request: &Request<Body>, options: &Options) -> Result<(), ApiError> {
    if request.extensions().get::<Ambiguous>().is_some() {
        let message = "The request has a fragment in its address, or gives its length twice. Send it without.";
        return Err(ApiError::bad_request(message).closing());
    }
    if request.uri().path_and_query().is_some_and(|target| target.as_str().len() > options.uri_bytes_max) {
        return Err(ApiError::uri_too_long());
    }
    let headers = request.headers();
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if bytes > options.header_bytes_max || headers.len() > options.headers_max {
        return Err(ApiError::headers_too_large());
    }
    host(request)?;
    body_fits(request, options)
}

/// RFC 9112 §3.2: exactly one valid Host; otherwise a proxy may take the request for another site.
fn host(request: &Request<Body>) -> Result<(), ApiError> {
    let mut hosts = request.headers().get_all(HOST).iter();
    let valid = match (hosts.next(), hosts.next()) {
        (None, _) => request.version() == Version::HTTP_10,
        (Some(host), None) => is_authority(host.as_bytes()),
        (Some(_), Some(_)) => false,
    };
    let message = "The request needs exactly one valid Host header. Send the name of this server once.";
    if valid { Ok(()) } else { Err(ApiError::bad_request(message).closing()) }
}

fn is_authority(host: &[u8]) -> bool {
    !host.contains(&b'@') && Authority::try_from(host).is_ok()
}

fn body_fits(request: &Request<Body>, options: &Options) -> Result<(), ApiError> {
    let declared =
        request.headers().get(CONTENT_LENGTH).map(|value| value.to_str().ok().and_then(|text| text.parse::<u64>().ok()));
    let bytes = match declared {
        Some(length) => length.unwrap_or(u64::MAX),
        None => request.body().size_hint().lower(),
    };
    if bytes > options.body_bytes_max(request.uri().path()) { Err(ApiError::payload_too_large().closing()) } else { Ok(()) }
}
