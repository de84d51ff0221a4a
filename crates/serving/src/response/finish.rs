//! From a handler's response to the one that clients see: errors in one shape, ETag and 304, compression, length.

use std::pin::Pin;

use axum::body::{Body, HttpBody};
use axum::http::header::{ALLOW, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, RETRY_AFTER};
use axum::http::response::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;

use super::error::{ApiError, JSON};
use super::{compression, cors, etag};
use crate::denials::Denied;
use crate::request::facts::RequestFacts;

/// Renders errors as pages.
pub trait ErrorPages: Send + Sync {
    fn render<'a>(&'a self, failure: Failure<'a>) -> Pin<Box<dyn Future<Output = Response> + Send + 'a>>;
}

/// A request that failed, and with what.
pub struct Failure<'a> {
    pub status: StatusCode,
    /// Of the response.
    pub extensions: &'a Extensions,
    pub method: &'a Method,
    pub uri: &'a Uri,
    /// Of the request.
    pub headers: &'a HeaderMap,
    /// Whether it is within the concurrency limit; if not, it must cost no database look-up.
    pub admitted: bool,
}

/// Gives the router's bare refusals, and any non-JSON error under /api/, the common error format.
pub fn shaped(response: Response, facts: &RequestFacts) -> Response {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let kind = response.headers().get(CONTENT_TYPE);
    // The framework's own refusals are plain text.
    let is = |meant: &[u8]| kind.is_some_and(|kind| kind.as_bytes().starts_with(meant));
    let as_meant = if facts.is_api { is(b"application/json") } else { kind.is_some() && !is(b"text/plain") };
    if as_meant {
        return response;
    }
    if status != StatusCode::METHOD_NOT_ALLOWED {
        return ApiError::of_status(status).into_response();
    }
    let allow = allowed(response.headers());
    match facts.method == Method::OPTIONS {
        true => cors::options(allow, facts.uri.path()),
        false => ApiError::method_not_allowed(allow).into_response(),
    }
}

/// Replaces an API error with a page for people, but keeps its headers.
pub async fn as_page(response: Response, pages: &dyn ErrorPages, facts: &RequestFacts, admitted: bool) -> Response {
    let is_json = response.headers().get(CONTENT_TYPE).is_none_or(|kind| *kind == JSON);
    if !response.status().is_client_error() && !response.status().is_server_error() || !is_json {
        return response;
    }
    let (parts, _) = response.into_parts();
    let failure = Failure {
        status: parts.status,
        extensions: &parts.extensions,
        method: &facts.method,
        uri: &facts.uri,
        headers: &facts.headers,
        admitted,
    };
    let mut answer = pages.render(failure).await;
    if let Some(denied) = parts.extensions.get::<Denied>() {
        answer.extensions_mut().insert(*denied);
    }
    for name in [ALLOW, CONNECTION, RETRY_AFTER] {
        if let Some(value) = parts.headers.get(&name) {
            answer.headers_mut().insert(name, value.clone());
        }
    }
    answer
}

/// The router's list of methods, and OPTIONS, which we handle.
fn allowed(headers: &HeaderMap) -> HeaderValue {
    let methods = headers.get(ALLOW).and_then(|value| value.to_str().ok()).unwrap_or("GET,HEAD");
    let methods: Vec<&str> = methods.split(',').map(str::trim).chain(["OPTIONS"]).collect();
    HeaderValue::try_from(methods.join(", ")).unwrap_or(HeaderValue::from_static("GET, HEAD, OPTIONS"))
}

pub async fn finish(response: Response, facts: RequestFacts, draining: bool) -> Response {
    let (mut parts, body) = response.into_parts();
    if cors::applies(facts.uri.path()) {
        cors::open(&mut parts.headers);
    }
    if facts.chunked || draining {
        parts.headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    let Some(bytes) = body.size_hint().exact() else {
        // A stream has no ETag.
        return Response::from_parts(parts, if facts.method == Method::HEAD { Body::empty() } else { body });
    };
    let Some((tag, body)) = tagged(&mut parts.headers, body).await else { return ApiError::internal().into_response() };
    if parts.status == StatusCode::OK {
        compression::vary(&mut parts.headers);
        if facts.is_read() && etag::names(facts.if_none_match.iter().map(HeaderValue::as_bytes), &tag) {
            return not_modified(parts);
        }
    }
    let (response, bytes) = compression::encode(Response::from_parts(parts, body), bytes, facts.accept_encoding).await;
    sized(response, bytes, facts.method == Method::HEAD)
}

/// The handler's ETag, or else that of the body. `None` if the body breaks off.
async fn tagged(headers: &mut HeaderMap, body: Body) -> Option<(HeaderValue, Body)> {
    if let Some(tag) = headers.get(ETAG) {
        return Some((tag.clone(), body));
    }
    let bytes = body.collect().await.ok()?.to_bytes();
    let tag = etag::tag(&bytes);
    headers.insert(ETAG, tag.clone());
    Some((tag, Body::from(bytes)))
}

/// Whether a header describes the body, and is therefore not part of a 304.
pub fn describes_body(name: &HeaderName) -> bool {
    [CONTENT_LENGTH, CONTENT_TYPE, CONTENT_ENCODING].contains(name)
}

fn not_modified(mut parts: Parts) -> Response {
    parts.status = StatusCode::NOT_MODIFIED;
    // Removing headers would change the order of the others.
    let headers = parts.headers.iter().filter(|(name, _)| !describes_body(name));
    parts.headers = headers.map(|(name, value)| (name.clone(), value.clone())).collect();
    Response::from_parts(parts, Body::empty())
}

fn sized(mut response: Response, bytes: u64, head: bool) -> Response {
    if response.status() != StatusCode::NO_CONTENT {
        response.headers_mut().insert(CONTENT_LENGTH, bytes.into());
    }
    if head { response.map(|_| Body::empty()) } else { response }
}
