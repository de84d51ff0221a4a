//! A response as bytes, to be sent again.

use std::cell::RefCell;
use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{CONNECTION, CONTENT_LENGTH, ETAG};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::BodyExt;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;

use crate::denials::{Denied, Reason};
use crate::limits::rate::{self, Decision};
use crate::request_metrics::Route;
use crate::response::error::ApiError;
use crate::response::etag;
use crate::response::finish::describes_body;

/// Heads and body of a response, without the headers that change each time.
pub struct Stored {
    status: StatusCode,
    tag: HeaderValue,
    /// Head and body, if the body is known.
    whole: Option<(Box<[u8]>, Bytes)>,
    not_modified: Box<[u8]>,
    /// The metric that counts it.
    route: Option<Arc<Route>>,
    denied: Option<Reason>,
}

impl Stored {
    /// The part of a finished response to store, and the response itself.
    pub async fn collect(response: Response) -> (Option<Stored>, Response) {
        let (parts, body) = response.into_parts();
        let (Some(tag), false) = (parts.headers.get(ETAG).cloned(), parts.headers.contains_key(CONNECTION)) else {
            return (None, Response::from_parts(parts, body));
        };
        let headers = || parts.headers.iter().filter(|(name, _)| **name != rate::POLICY && **name != rate::STATE);
        let stored = Stored {
            status: StatusCode::OK,
            tag,
            whole: None,
            not_modified: head(StatusCode::NOT_MODIFIED, headers().filter(|(name, _)| !describes_body(name))),
            route: parts.extensions.get().cloned(),
            denied: parts.extensions.get().map(|denied: &Denied| denied.reason),
        };
        match parts.status {
            StatusCode::NOT_MODIFIED => (Some(stored), Response::from_parts(parts, body)),
            status @ (StatusCode::OK | StatusCode::UNAUTHORIZED) if parts.headers.contains_key(CONTENT_LENGTH) => {
                let Ok(body) = body.collect().await else { return (None, ApiError::internal().into_response()) };
                let body = body.to_bytes();
                let whole = Some((head(status, headers()), body.clone()));
                (Some(Stored { status, whole, ..stored }), Response::from_parts(parts, Body::from(body)))
            }
            _ => (None, Response::from_parts(parts, body)),
        }
    }

    pub fn has_body(&self) -> bool {
        self.whole.is_some()
    }

    /// Approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.not_modified.len() + self.whole.as_ref().map_or(0, |(head, body)| head.len() + body.len())
    }
}

fn head<'a>(status: StatusCode, headers: impl Iterator<Item = (&'a HeaderName, &'a HeaderValue)>) -> Box<[u8]> {
    let mut out = format!("HTTP/1.1 {status}\r\n").into_bytes();
    for (name, value) in headers {
        field(&mut out, name.as_str().as_bytes(), value.as_bytes());
    }
    out.into_boxed_slice()
}

fn field(out: &mut Vec<u8>, name: &[u8], value: &[u8]) {
    for piece in [name, b": ", value, b"\r\n"] {
        out.extend_from_slice(piece);
    }
}

/// A stored response for one client.
pub struct Outgoing {
    stored: Arc<Stored>,
    not_modified: bool,
    limit: Option<Decision>,
}

impl Outgoing {
    /// For a client with these ETags. None if the body is needed but not known.
    pub fn new<'a>(stored: Arc<Stored>, tags: impl Iterator<Item = &'a [u8]>) -> Option<Outgoing> {
        let not_modified = stored.status == StatusCode::OK && etag::names(tags, &stored.tag);
        (not_modified || stored.has_body()).then_some(Outgoing { stored, not_modified, limit: None })
    }

    /// With the rate-limit headers of a counted client.
    pub fn limited(self, decision: Decision) -> Outgoing {
        Outgoing { limit: Some(decision), ..self }
    }

    pub fn route(&self) -> Option<&Route> {
        self.stored.route.as_deref()
    }

    /// The reason, if it is a denial.
    pub fn denied(&self) -> Option<Reason> {
        self.stored.denied
    }

    pub fn status(&self) -> StatusCode {
        if self.not_modified { StatusCode::NOT_MODIFIED } else { self.stored.status }
    }

    /// Writes the head; the body follows it.
    pub fn write(&self, out: &mut Vec<u8>) -> Bytes {
        let (head, body) = match &self.stored.whole {
            Some((head, body)) if !self.not_modified => (head, body.clone()),
            _ => (&self.stored.not_modified, Bytes::new()),
        };
        out.extend_from_slice(head);
        for (name, value) in self.limit.iter().flat_map(Decision::headers) {
            field(out, name.as_str().as_bytes(), value.as_bytes());
        }
        date(out);
        out.extend_from_slice(b"\r\n");
        body
    }
}
/// The Date header, from the system clock; updated once a second.
fn date(out: &mut Vec<u8>) {
    thread_local! {
        static LAST: RefCell<(i64, Vec<u8>)> = const { RefCell::new((i64::MIN, Vec::new())) };
    }
    let now = Timestamp::now();
    LAST.with_borrow_mut(|(second, line)| {
        if *second != now.as_second() {
            *second = now.as_second();
            line.clear();
            let text = DateTimePrinter::new().timestamp_to_rfc9110_string(&now).unwrap_or_default();
            field(line, b"date", text.as_bytes());
        }
        out.extend_from_slice(line);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_date_header_has_the_http_format() {
        let mut out = Vec::new();
        date(&mut out);
        let text = String::from_utf8(out).unwrap();
        // "date: Sun, 06 Nov 1994 08:49:37 GMT"
        let value = text.strip_prefix("date: ").unwrap().strip_suffix(" GMT\r\n").unwrap();
        assert_eq!(value.len(), 25, "{value}");
        let minute = DateTimePrinter::new().timestamp_to_rfc9110_string(&Timestamp::from_second(784_111_777).unwrap()).unwrap();
        assert_eq!(minute, "Sun, 06 Nov 1994 08:49:37 GMT");
    }
}
