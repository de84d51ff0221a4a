//! Heads of requests.

use std::net::{IpAddr, Ipv4Addr};

use axum::body::Body;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Request, Uri};
use httparse::Status;
use ipnet::IpNet;
use serving::framing::{AmbiguousHead, Framing};
use serving::head::{self, Head};
use serving::{Bearer, Options, address, auth, bearer, validation};

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
