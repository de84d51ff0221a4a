//! A response as it was sent, to be sent again.

use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::BodyExt;

use crate::http::denials::Denied;
use crate::http::request_metrics::Route;
use crate::http::response::error::ApiError;
use crate::http::response::etag;

/// A response as it is sent: its headers and, if known, its body.
#[derive(Clone)]
pub struct Finished {
    pub status: StatusCode,
    tag: HeaderValue,
    /// A list, because a map takes several times the memory.
    headers: Box<[(HeaderName, HeaderValue)]>,
    body: Option<Bytes>,
    /// The metric that counts it.
    pub route: Option<Arc<Route>>,
    pub denied: Option<Denied>,
}

impl Finished {
    /// The part of a response to store, and the response itself.
    pub async fn collect(response: Response, route: Option<Arc<Route>>) -> (Option<Finished>, Response) {
        let Some(tag) = response.headers().get(ETAG).cloned() else { return (None, response) };
        let (parts, body) = response.into_parts();
        let headers = listed(&parts.headers);
        let denied = parts.extensions.get().copied();
        match parts.status {
            StatusCode::NOT_MODIFIED => {
                let finished = Finished { status: StatusCode::OK, tag, headers, body: None, route, denied };
                (Some(finished), Response::from_parts(parts, body))
            }
            StatusCode::OK | StatusCode::UNAUTHORIZED => {
                let Ok(body) = body.collect().await else { return (None, ApiError::internal().into_response()) };
                let body = body.to_bytes();
                let finished = Finished { status: parts.status, tag, headers, body: Some(body.clone()), route, denied };
                (Some(finished), Response::from_parts(parts, Body::from(body)))
            }
            _ => (None, Response::from_parts(parts, body)),
        }
    }

    pub fn without(self, names: &[HeaderName]) -> Finished {
        let headers = self.headers.into_iter().filter(|(name, _)| !names.contains(name)).collect();
        Finished { headers, ..self }
    }

    /// Whether a client with these ETags gets a 304.
    pub fn is_known<'a>(&self, tags: impl Iterator<Item = &'a [u8]>) -> bool {
        self.status == StatusCode::OK && etag::names(tags, &self.tag)
    }

    /// None if its body is needed but not known.
    pub fn answer(&self, headers: &HeaderMap) -> Option<Response> {
        let mut response = self.answer_uncounted(headers)?;
        if let Some(route) = &self.route {
            response.extensions_mut().insert(route.clone());
        }
        if let Some(denied) = self.denied {
            response.extensions_mut().insert(denied);
        }
        Some(response)
    }

    fn answer_uncounted(&self, headers: &HeaderMap) -> Option<Response> {
        if self.is_known(headers.get_all(IF_NONE_MATCH).iter().map(HeaderValue::as_bytes)) {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.headers_mut() = mapped(self.unchanged());
            return Some(response);
        }
        let mut response = Response::new(Body::from(self.body()?.clone()));
        *response.status_mut() = self.status;
        *response.headers_mut() = mapped(self.headers());
        Some(response)
    }

    pub fn headers(&self) -> impl Iterator<Item = &(HeaderName, HeaderValue)> {
        self.headers.iter()
    }

    /// The headers of a 304.
    pub fn unchanged(&self) -> impl Iterator<Item = &(HeaderName, HeaderValue)> {
        self.headers.iter().filter(|(name, _)| !OF_BODY.contains(name))
    }

    pub fn body(&self) -> Option<&Bytes> {
        self.body.as_ref()
    }

    /// Approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.body.as_ref().map_or(0, Bytes::len) + size_of_val(&*self.headers)
    }
}

fn listed(headers: &HeaderMap) -> Box<[(HeaderName, HeaderValue)]> {
    headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn mapped<'a>(headers: impl Iterator<Item = &'a (HeaderName, HeaderValue)>) -> HeaderMap {
    let mut map = HeaderMap::with_capacity(16);
    for (name, value) in headers {
        map.append(name.clone(), value.clone());
    }
    map
}

const OF_BODY: [HeaderName; 3] = [CONTENT_LENGTH, CONTENT_TYPE, CONTENT_ENCODING];

/// The headers of a 304: those that do not describe the body.
pub fn unchanged(mut headers: HeaderMap) -> HeaderMap {
    for name in OF_BODY {
        headers.remove(name);
    }
    headers
}
