//! Everything a client sends on a connection.

use axum::http::HeaderName;
use axum::http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use httparse::Status;
use serving::framing::{AmbiguousHead, Framing};

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
