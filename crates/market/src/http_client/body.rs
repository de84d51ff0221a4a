//! One request, and its answer, read up to a limit.

use std::time::{Duration, SystemTime};

use bytes::{Bytes, BytesMut};
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Client, StatusCode};
use serde::de::DeserializeOwned;

use super::Request;
use crate::fault::{Denial, Detail, Fault};
use crate::figure::brief;

/// A complete answer with any status except throttling and server errors.
#[derive(Debug, Clone)]
pub struct Response {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub bytes: Bytes,
}

impl Response {
    /// The body as JSON of this type. The error says where it deviates.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        serde_json::from_slice(&self.bytes).map_err(|error| Fault::unparsable(error, &String::from_utf8_lossy(&self.bytes)))
    }

    /// The answer itself, if its status is a success.
    pub fn success(&self) -> Result<&Response, Fault> {
        match self.status.as_u16() {
            200..=299 => Ok(self),
            401 | 403 => Err(Fault::Denied(Denial::Status(self.status.as_u16()))),
            404 => Err(Fault::Unknown),
            other => Err(Fault::Status(other)),
        }
    }

    pub fn text(&self) -> Result<&str, Fault> {
        std::str::from_utf8(&self.bytes).map_err(|_| Fault::Malformed(Detail::NotUtf8))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

pub(super) async fn fetch(client: &Client, request: &Request) -> Result<Response, Fault> {
    let builder = match &request.form {
        None => client.get(request.url.clone()),
        Some(form) => {
            client.post(request.url.clone()).header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(form.clone())
        }
    };
    let mut response = builder.headers(request.headers.clone()).send().await.map_err(unreachable)?;
    let (status, headers) = (response.status(), response.headers().clone());
    if status == StatusCode::TOO_MANY_REQUESTS || (status == StatusCode::SERVICE_UNAVAILABLE && headers.contains_key(RETRY_AFTER))
    {
        return Err(Fault::Throttled(retry_after(&headers)));
    }
    if status.is_server_error() {
        return Err(Fault::Status(status.as_u16()));
    }
    let mut bytes = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        if bytes.len() + chunk.len() > request.bytes_max {
            return Err(Fault::TooLarge(request.bytes_max));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Response { status, headers, bytes: bytes.freeze() })
}

/// Without the URL, which may contain a key.
fn unreachable(error: reqwest::Error) -> Fault {
    if error.is_timeout() {
        return Fault::TimedOut;
    }
    let mut cause: &dyn std::error::Error = &error.without_url();
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    Fault::Unreachable(brief(&cause.to_string()))
}

/// Seconds or a date; HTTP allows both.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(Duration::from_secs(seconds.into()));
    }
    let at = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
    let now = jiff::Timestamp::try_from(SystemTime::now()).ok()?;
    Duration::try_from(at.duration_since(now)).ok().or(Some(Duration::ZERO))
}
