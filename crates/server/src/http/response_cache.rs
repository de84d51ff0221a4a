//! Answers that are finished before a request is routed.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::BodyExt;

use super::denials::Denied;
use super::error::ApiError;
use super::etag;
use super::head::Head;
use super::outgoing::Outgoing;
use super::request_metrics::Route;

/// Who keeps finished answers, and knows whether one of them still is the answer.
pub trait ResponseCache: Send + Sync {
    /// What needs no routing. None says nothing: then [`ResponseCache::find`] has to be asked.
    fn cached_response(&self, head: &Head<'_>, peer: IpAddr) -> Option<CachedResponse>;

    /// May put on the request what it has learned about it.
    fn find<'a>(&'a self, request: &'a mut Request) -> Pin<Box<dyn Future<Output = Found> + Send + 'a>>;
}

pub enum CachedResponse {
    Answer(Outgoing),
    /// When whoever has to be asked has said who asks.
    PendingResponse(PendingResponse),
}

/// Without an answer it is what was learned about the request, for whoever goes on with it.
pub type PendingResponse = Pin<Box<dyn Future<Output = Result<Outgoing, Extensions>> + Send>>;

pub enum Found {
    Answer(Response),
    /// And where the answer may be kept once it is there.
    Not(Option<Box<dyn Place>>),
}

pub trait Place: Send + Sync {
    fn keep(self: Box<Self>, finished: Finished);
}

/// Put on an answer that depends on nothing but the request and what its place is known by.
#[derive(Debug, Clone, Copy)]
pub struct Lasting;

/// An answer as it goes out: its headers and, where it is known, its body.
#[derive(Clone)]
pub struct Finished {
    pub status: StatusCode,
    tag: HeaderValue,
    /// Many answers are kept, and a map takes several times the room of a list.
    headers: Box<[(HeaderName, HeaderValue)]>,
    body: Option<Bytes>,
    /// Where it is counted.
    pub route: Option<Arc<Route>>,
    pub denied: Option<Denied>,
}

impl Finished {
    /// What is to be kept of a response of a route, and the response as it was.
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

    /// Whether all there is to say to one who knows these tags is that nothing has changed.
    pub fn is_known<'a>(&self, tags: impl Iterator<Item = &'a [u8]>) -> bool {
        self.status == StatusCode::OK && etag::names(tags, &self.tag)
    }

    /// None where its body would be needed and is not known.
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

    /// Those of a 304.
    pub fn unchanged(&self) -> impl Iterator<Item = &(HeaderName, HeaderValue)> {
        self.headers.iter().filter(|(name, _)| !OF_BODY.contains(name))
    }

    pub fn body(&self) -> Option<&Bytes> {
        self.body.as_ref()
    }

    /// About what it takes.
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

/// The headers of a 304: those of the answer that say nothing about its body.
pub(super) fn unchanged(mut headers: HeaderMap) -> HeaderMap {
    for name in OF_BODY {
        headers.remove(name);
    }
    headers
}
