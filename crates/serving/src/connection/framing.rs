//! Follows the bytes of a connection from request to request, to detect what hyper hides.
//!
//! hyper drops a Content-Length next to a Transfer-Encoding, and the fragment of an address, before a service
//! sees the request. Both must be refused. It also lets us tell a client that is late with a head from one that is idle.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Longer than any length or coding worth reading.
const LINE_BYTES_KEPT: usize = 80;

#[derive(Debug)]
pub struct Framing {
    place: Place,
    /// The start of the current line.
    line: Vec<u8>,
    line_cut: bool,
    head: Head,
    heads: u64,
    ambiguous: AmbiguousHead,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Place {
    Idle,
    RequestLine,
    Fields,
    Body(u64),
    /// After a request that ends the connection.
    Beyond,
}

#[derive(Debug, Default)]
struct Head {
    fragment: bool,
    transfer_encoding: bool,
    length: Option<u64>,
    length_unclear: bool,
}

/// The number of the first request to refuse, counted from 1. Shared with the service, which also counts.
#[derive(Debug, Clone, Default)]
pub struct AmbiguousHead(Arc<AtomicU64>);

impl AmbiguousHead {
    pub fn is(&self, number: u64) -> bool {
        self.0.load(Ordering::Acquire) == number
    }
}

impl Framing {
    pub fn new(ambiguous: AmbiguousHead) -> Self {
        Self { place: Place::Idle, line: Vec::new(), line_cut: false, head: Head::default(), heads: 0, ambiguous }
    }

    /// Number of heads so far.
    pub fn heads(&self) -> u64 {
        self.heads
    }

    pub fn is_in_head(&self) -> bool {
        matches!(self.place, Place::RequestLine | Place::Fields)
    }

    pub fn is_in_request_line(&self) -> bool {
        self.place == Place::RequestLine
    }

    /// Whether more of a body is expected.
    pub fn is_in_body(&self) -> bool {
        matches!(self.place, Place::Body(_) | Place::Beyond)
    }

    /// Whether the next byte begins a request.
    pub fn is_between_requests(&self) -> bool {
        self.place == Place::Idle
    }

    /// Whether the last request may not have been received completely.
    pub fn is_unfinished(&self) -> bool {
        self.place != Place::Idle
    }

    pub fn advance(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            bytes = match self.place {
                Place::Beyond => return,
                Place::Body(left) => self.skip_body(bytes, left),
                Place::Idle => {
                    self.place = Place::RequestLine;
                    bytes
                }
                Place::RequestLine | Place::Fields => self.take_line(bytes),
            };
        }
    }

    fn skip_body<'a>(&mut self, bytes: &'a [u8], left: u64) -> &'a [u8] {
        let here = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len());
        let left = left - here as u64;
        self.place = if left == 0 { Place::Idle } else { Place::Body(left) };
        &bytes[here..]
    }

    fn take_line<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let end = memchr::memchr(b'\n', bytes);
        let text = &bytes[..end.unwrap_or(bytes.len())];
        let kept = text.len().min(LINE_BYTES_KEPT.saturating_sub(self.line.len()));
        self.line.extend_from_slice(&text[..kept]);
        self.line_cut |= kept < text.len();
        self.head.fragment |= self.place == Place::RequestLine && text.contains(&b'#');
        let Some(end) = end else { return &[] };
        self.end_line();
        self.line.clear();
        self.line_cut = false;
        &bytes[end + 1..]
    }

    fn end_line(&mut self) {
        let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
        match (self.place, line.is_empty()) {
            // An empty line before a request is ignored.
            (Place::RequestLine, true) => self.place = Place::Idle,
            (Place::RequestLine, false) => self.place = Place::Fields,
            (_, true) => self.end_head(),
            (_, false) => self.head.note(line, self.line_cut),
        }
    }

    fn end_head(&mut self) {
        let head = std::mem::take(&mut self.head);
        self.heads += 1;
        let has_length = head.length.is_some() || head.length_unclear;
        let refused = head.fragment || head.length_unclear || (head.transfer_encoding && has_length);
        if refused {
            self.ambiguous.0.store(self.heads, Ordering::Release);
        }
        self.place = match head.length {
            _ if refused || head.transfer_encoding => Place::Beyond,
            None | Some(0) => Place::Idle,
            Some(length) => Place::Body(length),
        };
    }
}

impl Head {
    fn note(&mut self, line: &[u8], cut: bool) {
        let Some(colon) = line.iter().position(|&byte| byte == b':') else { return };
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.transfer_encoding = true;
        } else if name.eq_ignore_ascii_case(b"content-length") {
            let number = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok()).filter(|_| !cut);
            self.length_unclear |= number.is_none();
            self.length = number.or(self.length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of the refused request, 0 for none, and whether the stream ended between two requests.
    fn follow(stream: &str, step: usize) -> (u64, bool) {
        let ambiguous = AmbiguousHead::default();
        let mut framing = Framing::new(ambiguous.clone());
        for piece in stream.as_bytes().chunks(step) {
            framing.advance(piece);
        }
        (ambiguous.0.load(Ordering::Acquire), !framing.is_unfinished())
    }

    fn at_any_step(stream: &str) -> (u64, bool) {
        let whole = follow(stream, stream.len());
        for step in 1..stream.len() {
            assert_eq!(follow(stream, step), whole, "in steps of {step}");
        }
        whole
    }

    #[test]
    fn well_formed_requests_pass_one_after_the_other() {
        let stream =
            "GET /a HTTP/1.1\r\nHost: x\r\n\r\n\r\nPOST /b HTTP/1.1\nContent-Length: 3\n\nT#:GET /c HTTP/1.1\r\nX: #\r\n\r\n";
        assert_eq!(at_any_step(stream), (0, true));
    }

    #[test]
    fn an_empty_line_after_a_request_does_not_begin_another() {
        assert_eq!(at_any_step("POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx\r\n"), (0, true));
        assert_eq!(at_any_step("GET / HTTP/1.1\r\n\r\n\r\nG"), (0, false));
    }

    #[test]
    fn a_request_with_two_lengths_is_detected_in_either_order_and_after_a_body() {
        let first = "POST / HTTP/1.1\r\nContent-Length: 4\r\ntransfer-encoding: chunked\r\n\r\n";
        assert_eq!(at_any_step(first), (1, false));
        let second = "POST / HTTP/1.1\r\nCONTENT-LENGTH: 4\r\n\r\nabcdPOST / HTTP/1.1\r\nTransfer-Encoding: x\r\nContent-Length: 0\r\n\r\n";
        assert_eq!(at_any_step(second), (2, false));
    }

    #[test]
    fn a_request_inside_a_body_is_not_a_request() {
        let inner = "GET /#x HTTP/1.1\r\n\r\n";
        assert_eq!(at_any_step(&format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n{inner}", inner.len())), (0, true));
    }

    #[test]
    fn a_fragment_is_detected_in_the_request_target_only() {
        assert_eq!(at_any_step("GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n"), (1, false));
        assert_eq!(at_any_step("GET /a HTTP/1.1\r\nHost: x\r\nX: a#b\r\n\r\n"), (0, true));
    }

    #[test]
    fn a_length_that_cannot_be_read_is_refused() {
        for length in ["x", "-1", "1, 1", "99999999999999999999999", &format!("{}1", " ".repeat(100))] {
            assert_eq!(at_any_step(&format!("POST / HTTP/1.1\r\nContent-Length:{length}\r\n\r\n")).0, 1, "{length}");
        }
    }
}
