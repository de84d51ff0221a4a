//! Answers that are finished before a request is routed.

use std::net::IpAddr;
use std::pin::Pin;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::response::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::BodyExt;

use super::error::ApiError;
use super::etag;
use super::head::Head;
use super::outgoing::Outgoing;

/// Who keeps finished answers, and knows whether one of them still is the answer.
pub trait Ready: Send + Sync {
    /// What needs neither routing nor waiting. None says nothing: then [`Ready::find`] has to be asked.
    fn at_once(&self, head: &Head<'_>, peer: IpAddr) -> Option<Outgoing>;

    /// May put on the request what it has learned about it.
    fn find<'a>(&'a self, request: &'a mut Request) -> Pin<Box<dyn Future<Output = Found> + Send + 'a>>;
}

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

/// An answer as it goes out: its body, where it is known, and how to say that nothing has changed.
#[derive(Clone)]
pub struct Finished {
    pub status: StatusCode,
    tag: HeaderValue,
    pub full: Option<(HeaderMap, Bytes)>,
    pub unchanged: HeaderMap,
}

impl Finished {
    /// What is to be kept of a response, and the response as it was.
    pub async fn of(response: Response) -> (Option<Finished>, Response) {
        let Some(tag) = response.headers().get(ETAG).cloned() else { return (None, response) };
        let (parts, body) = response.into_parts();
        match parts.status {
            StatusCode::NOT_MODIFIED => {
                let finished = Finished { status: StatusCode::OK, tag, full: None, unchanged: parts.headers.clone() };
                (Some(finished), Response::from_parts(parts, body))
            }
            StatusCode::OK | StatusCode::UNAUTHORIZED => whole(tag, parts, body).await,
            _ => (None, Response::from_parts(parts, body)),
        }
    }

    /// Whether all there is to say to one who knows these tags is that nothing has changed.
    pub fn is_known<'a>(&self, tags: impl Iterator<Item = &'a [u8]>) -> bool {
        self.status == StatusCode::OK && etag::names(tags, &self.tag)
    }

    /// None where its body would be needed and is not known.
    pub fn answer(&self, headers: &HeaderMap) -> Option<Response> {
        if self.is_known(headers.get_all(IF_NONE_MATCH).iter().map(HeaderValue::as_bytes)) {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.headers_mut() = self.unchanged.clone();
            return Some(response);
        }
        let (headers, body) = self.full.as_ref()?;
        let mut response = Response::new(Body::from(body.clone()));
        *response.status_mut() = self.status;
        *response.headers_mut() = headers.clone();
        Some(response)
    }

    pub fn bytes(&self) -> usize {
        self.full.as_ref().map_or(0, |(_, body)| body.len())
    }
}

async fn whole(tag: HeaderValue, parts: Parts, body: Body) -> (Option<Finished>, Response) {
    let Ok(body) = body.collect().await else { return (None, ApiError::internal().into_response()) };
    let body = body.to_bytes();
    let finished = Finished {
        status: parts.status,
        tag,
        unchanged: unchanged(parts.headers.clone()),
        full: Some((parts.headers.clone(), body.clone())),
    };
    (Some(finished), Response::from_parts(parts, Body::from(body)))
}

/// The headers of a 304: those of the answer that say nothing about its body.
pub(super) fn unchanged(mut headers: HeaderMap) -> HeaderMap {
    for name in [CONTENT_LENGTH, CONTENT_TYPE, CONTENT_ENCODING] {
        headers.remove(name);
    }
    headers
}
