//! For `fuzz/` only: properties of the code that reads requests, for any bytes.

use std::net::{IpAddr, Ipv4Addr};

use axum::body::Body;
use axum::http::header::{AUTHORIZATION, CONTENT_LENGTH, TRANSFER_ENCODING};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Request, Uri};
use httparse::Status;
use ipnet::IpNet;

use crate::http::connection::framing::{AmbiguousHead, Framing};
use crate::http::options::Options;
use crate::http::request::address;
use crate::http::request::auth;
use crate::http::request::head::{self, Head};
use crate::http::request::params::{Query, last_segment};
use crate::http::request::validation;
use crate::http::response::etag;
use crate::http::{Bearer, bearer};

const PEER: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));

/// A head that is parsed in place means the same to hyper, and would be accepted there.
pub fn head(bytes: &[u8]) {
    let mut header_buffer = head::header_buffer();
    let Some(head) = Head::read(bytes, &mut header_buffer) else { return };
    let mut fields = [httparse::EMPTY_HEADER; 100];
    let mut request = httparse::Request::new(&mut fields);
    assert_eq!(request.parse(bytes), Ok(Status::Complete(bytes.len())));
    assert_eq!((request.method, request.path, request.version), (Some("GET"), Some(head.target), Some(1)));

    let ambiguous = AmbiguousHead::default();
    let mut framing = Framing::new(ambiguous.clone());
    framing.advance(bytes);
    assert!(framing.heads() == 1 && framing.is_between_requests() && !ambiguous.is(1), "it is followed as something else");

    let uri: Result<Uri, _> = head.target.parse();
    let mut long = Request::new(Body::empty());
    assert_eq!(uri.as_ref().ok().and_then(Uri::path_and_query).map(|target| target.as_str()), Some(head.target));
    assert_eq!(uri.as_ref().ok().map(Uri::path), Some(head.path()));
    *long.uri_mut() = uri.unwrap_or_default();
    *long.headers_mut() = mapped(request.headers);
    assert!(validation::check(&long, &Options::default()).is_ok(), "it is refused on the long way");

    for name in long.headers().keys() {
        let values: Vec<&[u8]> = long.headers().get_all(name).iter().map(HeaderValue::as_bytes).collect();
        assert_eq!(head.all(name.clone()).collect::<Vec<_>>(), values);
    }
    let cached_response = head.only(AUTHORIZATION).and_then(|value| std::str::from_utf8(value).ok()).and_then(auth::token);
    match bearer(long.headers()) {
        Bearer::Token(token) => assert_eq!(cached_response, Some(token)),
        Bearer::Missing | Bearer::Malformed => assert_eq!(cached_response, None),
    }
    let trusted: [IpNet; 1] = [IpNet::from(PEER)];
    for trusted in [&trusted[..], &[]] {
        assert_eq!(address::client_ip_of_head(PEER, &head, trusted), address::client(PEER, long.headers(), trusted));
    }
}

fn mapped(fields: &[httparse::Header<'_>]) -> HeaderMap {
    let field = |field: &httparse::Header<'_>| {
        Some((HeaderName::from_bytes(field.name.as_bytes()).ok()?, HeaderValue::from_bytes(field.value).ok()?))
    };
    let mut map = HeaderMap::new();
    for (name, value) in fields.iter().filter_map(field) {
        map.append(name, value);
    }
    assert_eq!(map.len(), fields.len(), "a field is none on the long way");
    map
}

/// How a connection's bytes are split makes no difference, and accepted requests end where hyper ends them.
pub fn connection(bytes: &[u8]) {
    let Some((first, bytes)) = bytes.split_first() else { return };
    assert_eq!(followed(bytes, 1 + usize::from(*first)), followed(bytes, usize::MAX), "in pieces");
    let ambiguous = AmbiguousHead::default();
    let mut framing = Framing::new(ambiguous.clone());
    let (mut rest, mut heads) = (bytes, 0);
    while let Some((length, body)) = next(rest) {
        heads += 1;
        framing.advance(&rest[..length]);
        assert_eq!(framing.heads(), heads);
        if ambiguous.is(heads) {
            return;
        }
        match body {
            BodyEnd::TwoWays => panic!("a request that ends in two ways, or has a fragment, is not refused"),
            // hyper refuses it by itself.
            BodyEnd::Unclear => return,
            BodyEnd::Chunked => return assert!(framing.is_in_body()),
            BodyEnd::After(bytes) => {
                rest = &rest[length..];
                let here = usize::try_from(bytes).unwrap_or(usize::MAX).min(rest.len());
                framing.advance(&rest[..here]);
                rest = &rest[here..];
                assert_eq!(framing.is_between_requests(), bytes == here as u64, "the body ends elsewhere");
                assert_eq!(framing.is_in_body(), bytes > here as u64);
            }
        }
    }
}

/// Number of heads, the refused one, and where the bytes end.
fn followed(bytes: &[u8], step: usize) -> (u64, bool, [bool; 4]) {
    let ambiguous = AmbiguousHead::default();
    let mut framing = Framing::new(ambiguous.clone());
    for piece in bytes.chunks(step.min(bytes.len().max(1))) {
        framing.advance(piece);
    }
    let place = [framing.is_in_head(), framing.is_in_request_line(), framing.is_in_body(), framing.is_between_requests()];
    (framing.heads(), !ambiguous.is(0), place)
}

enum BodyEnd {
    After(u64),
    Chunked,
    /// By a length and by chunks, or with an address that has a fragment.
    TwoWays,
    Unclear,
}

/// The length of the next head and the end of its body, read as hyper does; none if the head is incomplete.
fn next(bytes: &[u8]) -> Option<(usize, BodyEnd)> {
    let mut fields = [httparse::EMPTY_HEADER; 100];
    let mut request = httparse::Request::new(&mut fields);
    let Ok(Status::Complete(length)) = request.parse(bytes) else { return None };
    let all = |name: HeaderName| {
        request.headers.iter().filter(move |field| field.name.eq_ignore_ascii_case(name.as_str())).map(|field| field.value)
    };
    let lengths: Vec<Option<u64>> = all(CONTENT_LENGTH).map(digits).collect();
    let chunked = all(TRANSFER_ENCODING).next().is_some();
    let end = match (&lengths[..], chunked) {
        _ if request.path.is_some_and(|path| path.contains('#')) => BodyEnd::TwoWays,
        ([_, ..], true) => BodyEnd::TwoWays,
        ([], true) => BodyEnd::Chunked,
        ([], false) => BodyEnd::After(0),
        ([Some(first), others @ ..], false) if others.iter().all(|other| *other == Some(*first)) => BodyEnd::After(*first),
        _ => BodyEnd::Unclear,
    };
    Some((length, end))
}

fn digits(value: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(value).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    text.parse().ok()
}

/// A query as the API reads it: values are in their documented range.
pub fn query(text: &str) {
    if let Ok(segment) = last_segment(text) {
        assert!(!segment.trim().is_empty() && !segment.contains('\0'));
    }
    let Ok(query) = Query::parse(Some(text)) else {
        assert_eq!(crate::http::request::fields::pairs(text), None, "what is broken in a query is so in a form");
        return;
    };
    for name in ["days", "a", ""] {
        assert!(query.integer(name, 1..=120, 45).map_or(true, |days| (1..=120).contains(&days)));
        if let Ok(Some(day)) = query.date(name) {
            assert_eq!(query.text(name).ok().flatten(), Some(day.to_string().as_str()));
        }
        if let Ok(text) = query.required_text(name, 7) {
            assert!(!text.is_empty() && text.chars().count() <= 7 && text == text.trim() && !text.contains('\0'));
        }
        let _ = query.boolean(name, false);
    }
}

/// Lists of ETags: a tag is found after anything that does not leave a quotation open.
pub fn tags(text: &[u8]) {
    let tag = etag::tag(text);
    let strong = &tag.as_bytes()[2..];
    assert!(etag::names([tag.as_bytes()].into_iter(), &tag) && etag::names([text, strong].into_iter(), &tag));
    let listed = [text, b", ", tag.as_bytes()].concat();
    let open = text.iter().filter(|byte| **byte == b'"').count() % 2 == 1;
    assert!(open || etag::names([listed.as_slice()].into_iter(), &tag));
    let other = etag::tag(b"another");
    let named = text.windows(strong.len()).any(|part| part == &other.as_bytes()[2..]);
    assert!(named || text.trim_ascii() == b"*" || !etag::names([text].into_iter(), &other));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fuzzed_properties_hold_for_sample_input() {
        for target in ["/", "/api/v1/me?x=%20", "/a?b#c", "/<", "/?<", "/é"] {
            for fields in ["", "Authorization: Bearer a\r\nX-Forwarded-For: 1.1.1.1\r\n", "Content-Length: 2\r\n"] {
                let request = format!("GET {target} HTTP/1.1\r\nHost: x:80\r\n{fields}\r\n");
                head(request.as_bytes());
                connection(format!("\u{5}{request}okGET / HTTP/1.1\r\n\r\n").as_bytes());
            }
        }
        for text in ["days=5&a=%zz", "a=2026-01-01&=x", "/stocks/%20", "days=&days=", "\"x\", \"", "*"] {
            query(text);
            tags(text.as_bytes());
        }
    }
}
