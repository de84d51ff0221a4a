//! Parses the head of a simple GET request in place.

use axum::http::HeaderName;
use axum::http::header::HOST;

/// More than API clients send.
const FIELDS_MAX: usize = 32;
const BYTES_MAX: usize = 4 << 10;

/// Room for the fields of a [`Head`].
pub type Fields<'a> = [httparse::Header<'a>; FIELDS_MAX];

pub struct Head<'a> {
    /// Path and query.
    pub target: &'a str,
    fields: &'a [httparse::Header<'a>],
}

pub fn header_buffer<'a>() -> Fields<'a> {
    [httparse::EMPTY_HEADER; FIELDS_MAX]
}

impl<'a> Head<'a> {
    /// None unless the bytes are one complete GET without anything special about connection, body or host.
    pub fn read(bytes: &'a [u8], header_buffer: &'a mut Fields<'a>) -> Option<Head<'a>> {
        if bytes.len() > BYTES_MAX || !bytes.starts_with(b"GET /") {
            return None;
        }
        let mut request = httparse::Request::new(header_buffer);
        if request.parse(bytes) != Ok(httparse::Status::Complete(bytes.len())) || request.version != Some(1) {
            return None;
        }
        let head = Head { target: request.path.filter(|target| is_plain_target(target))?, fields: request.headers };
        (head.fields.iter().all(is_plain) && head.only(HOST).is_some_and(is_plain_host)).then_some(head)
    }

    pub fn path(&self) -> &'a str {
        self.target.split_once('?').map_or(self.target, |(path, _)| path)
    }

    pub fn all(&self, name: HeaderName) -> impl Iterator<Item = &'a [u8]> {
        let named = move |field: &&httparse::Header<'a>| field.name.eq_ignore_ascii_case(name.as_str());
        self.fields.iter().filter(named).map(|field| field.value)
    }

    /// The value of a field that appears exactly once.
    pub fn only(&self, name: HeaderName) -> Option<&'a [u8]> {
        let mut all = self.all(name);
        all.next().filter(|_| all.next().is_none())
    }
}

/// Characters allowed in an address (RFC 3986) without a fragment. hyper handles or refuses the rest.
fn is_plain_target(target: &str) -> bool {
    // `!` and `$` to `;`: punctuation and digits; `?`, `@` and upper-case letters.
    target.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'?'..=b'Z' | b'$'..=b';' | b'=' | b'_' | b'~' | b'!'))
}

/// Whether the field does not affect the connection or the end of the request.
fn is_plain(field: &httparse::Header<'_>) -> bool {
    let is = |name: &str| field.name.eq_ignore_ascii_case(name);
    match field.name.len() {
        2 => !is("te"),
        6 => !is("expect"),
        7 => !is("upgrade") && !is("trailer"),
        10 => !is("connection") || field.value.eq_ignore_ascii_case(b"keep-alive"),
        14 => !is("content-length") && !is("http2-settings"),
        16 => !is("proxy-connection"),
        17 => !is("transfer-encoding"),
        _ => true,
    }
}

/// A plain name or address, with an optional port. hyper handles anything else.
fn is_plain_host(host: &[u8]) -> bool {
    let mut parts = host.split(|byte| *byte == b':');
    let name = parts.next().unwrap_or_default();
    let port = parts.next().unwrap_or(b"80");
    let named = !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(byte));
    named && (1..=5).contains(&port.len()) && port.iter().all(u8::is_ascii_digit) && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(request: &str) -> bool {
        Head::read(request.as_bytes(), &mut header_buffer()).is_some()
    }

    #[test]
    fn a_simple_get_request_is_parsed_in_place() {
        let request = "GET /api/v1/income?years=3 HTTP/1.1\r\nHost: a.example:8080\r\nAccept: x\r\naccept: y\r\nConnection: keep-alive\r\n\r\n";
        let mut header_buffer = header_buffer();
        let head = Head::read(request.as_bytes(), &mut header_buffer).unwrap();
        assert_eq!((head.target, head.path()), ("/api/v1/income?years=3", "/api/v1/income"));
        let accept = HeaderName::from_static("accept");
        assert_eq!(head.all(accept.clone()).collect::<Vec<_>>(), [b"x", b"y"]);
        assert_eq!((head.only(accept), head.only(HOST)), (None, Some(&b"a.example:8080"[..])));
    }

    #[test]
    fn any_other_request_is_left_to_the_full_parser() {
        assert!(reads("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
        for request in [
            "",
            "GET / HTTP/1.1\r\nHost: x\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\n\r\nG",
            "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.0\r\nHost: x\r\n\r\n",
            "GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /#a HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /?a#b HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /?a=<b> HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /é HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: \r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a:1:2\r\n\r\n",
            "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        ] {
            assert!(!reads(request), "{request:?}");
        }
        for field in [
            "Content-Length: 0",
            "transfer-encoding: chunked",
            "Connection: close",
            "Connection: keep-alive, upgrade",
            "Upgrade: h2c",
            "HTTP2-Settings: x",
            "TE: trailers",
            "Trailer: x",
            "Expect: 100-continue",
            "Proxy-Connection: close",
        ] {
            assert!(!reads(&format!("GET / HTTP/1.1\r\nHost: x\r\n{field}\r\n\r\n")), "{field}");
        }
        let long = format!("GET / HTTP/1.1\r\nHost: x\r\nA: {}\r\n\r\n", "a".repeat(BYTES_MAX));
        let many = format!("GET / HTTP/1.1\r\nHost: x\r\n{}\r\n", "A: a\r\n".repeat(FIELDS_MAX));
        assert!(!reads(&long) && !reads(&many));
    }
}
