//! gzip and br of the whole body, so that every encoding has a Content-Length, also for HEAD.

use std::convert::Infallible;
use std::future::ready;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue, Request, Response};
use axum::response::IntoResponse;
use bytes::Bytes;
use http_body_util::BodyExt;
use tower::{ServiceExt, service_fn};
use tower_http::compression::predicate::NotForContentType;
use tower_http::compression::{Compression, CompressionBody, Predicate};

use super::error::ApiError;

/// A smaller response fits one packet anyway.
const BYTES_MIN: u64 = 860;

/// Compressing more would cost seconds of CPU and a second copy in memory.
const BYTES_MAX: u64 = 8 << 20;

/// Types that are already compressed, or unknown.
const AS_IT_IS: [&str; 7] = [
    "application/zip",
    "application/gzip",
    "application/octet-stream",
    "application/pdf",
    "application/vnd.openxmlformats",
    "font/woff2",
    "video/",
];

/// The encoded form of a body that is sent more than once, for the last Accept-Encoding. In the extensions of its responses;
/// clones share it.
#[derive(Clone, Default)]
pub struct EncodedBody(Arc<Mutex<Option<Encoded>>>);

#[derive(Clone)]
struct Encoded {
    accepted: Vec<HeaderValue>,
    encoding: HeaderValue,
    body: Bytes,
}

impl EncodedBody {
    fn get(&self, accepted: &[HeaderValue]) -> Option<Encoded> {
        let encoded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        encoded.as_ref().filter(|encoded| encoded.accepted == accepted).cloned()
    }

    fn set(&self, accepted: Vec<HeaderValue>, headers: &HeaderMap, body: &Bytes) {
        let Some(encoding) = headers.get(CONTENT_ENCODING).cloned() else { return };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Encoded { accepted, encoding, body: body.clone() });
    }
}

/// The response in the client's encoding, and the length of its body.
pub async fn encode(response: Response<Body>, bytes: u64, accepted: Vec<HeaderValue>) -> (Response<Body>, u64) {
    if accepted.is_empty() || !(BYTES_MIN..=BYTES_MAX).contains(&bytes) || is_packed(response.headers()) {
        return (response, bytes);
    }
    let known = response.extensions().get().cloned().unwrap_or_else(EncodedBody::default);
    if let Some(Encoded { encoding, body, .. }) = known.get(&accepted) {
        let (mut parts, _) = response.into_parts();
        parts.headers.insert(CONTENT_ENCODING, encoding);
        return (Response::from_parts(parts, Body::from(body.clone())), body.len() as u64);
    }
    let status = response.status();
    let (mut parts, body) = through_compression(response, &accepted).await.into_parts();
    // A client that refuses every encoding gets the response uncompressed, not a 406.
    parts.status = status;
    match body.collect().await {
        Ok(collected) => {
            let body = collected.to_bytes();
            let bytes = body.len() as u64;
            known.set(accepted, &parts.headers, &body);
            (Response::from_parts(parts, Body::from(body)), bytes)
        }
        Err(_) => {
            let error = ApiError::internal();
            let bytes = error.body().len() as u64;
            (error.into_response(), bytes)
        }
    }
}

fn is_packed(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    headers.contains_key(CONTENT_ENCODING) || AS_IT_IS.iter().any(|packed| kind.starts_with(packed))
}

async fn through_compression(response: Response<Body>, accepted: &[HeaderValue]) -> Response<CompressionBody<Body>> {
    let mut request = Request::new(());
    for value in accepted {
        request.headers_mut().append(ACCEPT_ENCODING, value.clone());
    }
    let mut response = Some(response);
    let source = service_fn(move |_: Request<()>| ready(Ok::<_, Infallible>(response.take().unwrap_or_default())));
    let worth_it = NotForContentType::IMAGES.and(NotForContentType::SSE);
    let Ok(encoded) = Compression::new(source).compress_when(worth_it).oneshot(request).await;
    encoded
}

/// Adds Accept-Encoding to Vary, in one line.
pub fn vary(headers: &mut HeaderMap) {
    let mut lines = headers.get_all(VARY).iter().map(HeaderValue::as_bytes);
    let value = match (lines.next(), lines.next()) {
        (None, _) => HeaderValue::from_static("Accept-Encoding"),
        (Some(b"Authorization"), None) => HeaderValue::from_static("Authorization, Accept-Encoding"),
        _ => match merged(headers) {
            Some(value) => value,
            None => return,
        },
    };
    headers.insert(VARY, value);
}

fn merged(headers: &HeaderMap) -> Option<HeaderValue> {
    let lines: Vec<&str> = headers.get_all(VARY).iter().filter_map(|value| value.to_str().ok()).collect();
    let all = lines.join(", ");
    let named = all.split(',').any(|name| name.trim().eq_ignore_ascii_case("accept-encoding"));
    if named { None } else { HeaderValue::try_from(format!("{all}, Accept-Encoding")).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(lines: &[&'static str]) -> Vec<String> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(VARY, HeaderValue::from_static(line));
        }
        vary(&mut headers);
        headers.get_all(VARY).iter().map(|value| value.to_str().unwrap().to_owned()).collect()
    }

    async fn encoding(kind: &'static str, bytes: usize) -> Option<HeaderValue> {
        let mut response = Response::new(Body::from(vec![b'a'; bytes]));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        let (answer, _) = encode(response, bytes as u64, vec![HeaderValue::from_static("gzip")]).await;
        answer.headers().get(CONTENT_ENCODING).cloned()
    }

    #[tokio::test]
    async fn compressed_unknown_and_huge_bodies_are_not_compressed() {
        assert_eq!(encoding("text/html; charset=utf-8", 10_000).await.unwrap(), "gzip");
        assert_eq!(encoding("application/zip", 10_000).await, None);
        assert_eq!(encoding("application/octet-stream", 10_000).await, None);
        assert_eq!(encoding("text/csv", 8 << 20).await.unwrap(), "gzip");
        assert_eq!(encoding("text/csv", (8 << 20) + 1).await, None);
    }

    #[tokio::test]
    async fn an_encoded_response_is_not_encoded_again() {
        let mut response = Response::new(Body::from(vec![b'a'; 10_000]));
        response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("br"));
        let (answer, bytes) = encode(response, 10_000, vec![HeaderValue::from_static("gzip")]).await;
        assert_eq!((answer.headers()[CONTENT_ENCODING].as_bytes(), bytes), (&b"br"[..], 10_000));
    }

    #[test]
    fn the_vary_header_gains_accept_encoding_once() {
        assert_eq!(after(&[]), ["Accept-Encoding"]);
        assert_eq!(after(&["Authorization"]), ["Authorization, Accept-Encoding"]);
        assert_eq!(after(&["Origin", "Authorization"]), ["Origin, Authorization, Accept-Encoding"]);
        assert_eq!(after(&["Authorization, accept-encoding"]), ["Authorization, accept-encoding"]);
    }
}
