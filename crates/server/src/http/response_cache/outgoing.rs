//! A cached response as bytes, ready to send.

use std::cell::RefCell;
use std::sync::Arc;

use axum::http::header::CONTENT_LENGTH;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use bytes::Bytes;
use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimePrinter;

use super::finished::Finished;
use crate::http::denials::Reason;
use crate::http::limits::rate::Decision;
use crate::http::request_metrics::Route;

/// The heads of a response, without the parts that change each time.
pub struct Written {
    pub finished: Finished,
    /// With Content-Length, if the body is known.
    full: Option<Box<[u8]>>,
    unchanged: Box<[u8]>,
}

impl Written {
    pub fn of(finished: Finished) -> Written {
        let whole = finished.body().is_some() && finished.headers().any(|(name, _)| name == CONTENT_LENGTH);
        Written {
            full: whole.then(|| head(finished.status, finished.headers())),
            unchanged: head(StatusCode::NOT_MODIFIED, finished.unchanged()),
            finished,
        }
    }

    /// Approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.finished.bytes() + self.full.as_ref().map_or(0, |full| full.len()) + self.unchanged.len()
    }
}

fn head<'a>(status: StatusCode, headers: impl Iterator<Item = &'a (HeaderName, HeaderValue)>) -> Box<[u8]> {
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

pub struct Outgoing {
    written: Arc<Written>,
    unchanged: bool,
    limit: Option<Decision>,
}

impl Outgoing {
    /// For a client with these ETags. None if the body is needed but not known.
    pub fn new<'a>(written: Arc<Written>, tags: impl Iterator<Item = &'a [u8]>) -> Option<Outgoing> {
        let unchanged = written.finished.is_known(tags);
        (unchanged || written.full.is_some()).then_some(Outgoing { written, unchanged, limit: None })
    }

    /// With the rate-limit headers of a counted client.
    pub fn limited(self, decision: Decision) -> Outgoing {
        Outgoing { limit: Some(decision), ..self }
    }

    pub fn route(&self) -> Option<&Route> {
        self.written.finished.route.as_deref()
    }

    /// The reason, if it is a denial.
    pub fn denied(&self) -> Option<Reason> {
        self.written.finished.denied.map(|denied| denied.reason)
    }

    pub fn status(&self) -> StatusCode {
        if self.unchanged { StatusCode::NOT_MODIFIED } else { self.written.finished.status }
    }

    /// Writes the head; the body follows it.
    pub fn write(&self, out: &mut Vec<u8>) -> Bytes {
        let full = self.written.full.as_ref().filter(|_| !self.unchanged);
        out.extend_from_slice(full.unwrap_or(&self.written.unchanged));
        for (name, value) in self.limit.iter().flat_map(Decision::headers) {
            field(out, name.as_str().as_bytes(), value.as_bytes());
        }
        date(out);
        out.extend_from_slice(b"\r\n");
        match (self.written.finished.body(), full) {
            (Some(body), Some(_)) => body.clone(),
            _ => Bytes::new(),
        }
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
