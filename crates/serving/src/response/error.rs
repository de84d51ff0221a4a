//! The error format of all layers. A message never contains the internal cause.

use std::borrow::Cow;

use axum::body::Body;
use axum::http::header::{ALLOW, CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, Response, StatusCode};
use axum::response::IntoResponse;
use bytes::Bytes;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::denials::{Denied, Reason};

#[derive(Debug, Clone)]
pub struct ApiError {
    pub status: StatusCode,
    pub code: Code,
    /// For people: what went wrong and what to do.
    pub message: Cow<'static, str>,
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// For refusals that the log and the metrics count.
    pub denied: Option<Denied>,
}

/// The body of every error.
#[derive(Serialize, ToSchema)]
pub struct Error {
    error: ErrorBody,
}

#[derive(Serialize, ToSchema)]
struct ErrorBody {
    #[schema(inline)]
    code: Code,
    /// For people. The wording may change.
    #[schema(value_type = String, example = "The parameter `days` must be a whole number from 1 to 120.")]
    message: Cow<'static, str>,
}

/// Stable: programs branch on it.
#[derive(Serialize, ToSchema, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    InvalidParams,
    RateLimited,
    Internal,
    Unavailable,
}

pub const JSON: HeaderValue = HeaderValue::from_static("application/json");

impl ApiError {
    pub fn bad_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, Code::BadRequest, message)
    }

    /// The challenge may call a token invalid only if one was `presented`.
    pub fn unauthorized(challenge: &Challenge, presented: bool) -> Self {
        let value = if presented { &challenge.invalid } else { &challenge.missing };
        let message = "This endpoint needs a valid access token. Send it as `Authorization: Bearer <token>`.";
        Self::new(StatusCode::UNAUTHORIZED, Code::Unauthorized, message).with(WWW_AUTHENTICATE, value.clone())
    }

    pub fn forbidden(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, Code::Forbidden, message)
    }

    /// For a token of a disabled account.
    pub fn disabled(token_id: Uuid) -> Self {
        Self::forbidden("This account is disabled. Ask your administrator.")
            .because(Denied { reason: Reason::AccountDisabled, token: Some(token_id) })
    }

    pub fn not_found(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::NOT_FOUND, Code::NotFound, message)
    }

    pub fn no_such_path() -> Self {
        Self::not_found("There is nothing at this address. Check the path: /api/v1/openapi.json lists all endpoints.")
    }

    /// `accepts` continues the sentence "The parameter `days` must be …".
    pub fn invalid_params(parameter: &str, accepts: &str) -> Self {
        Self::unusable_params(format!("The parameter `{parameter}` must be {accepts}."))
    }

    /// Parameters that are valid each by itself.
    pub fn unusable_params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, Code::InvalidParams, message)
    }

    pub fn invalid_query() -> Self {
        let message = "The query string is not percent-encoded correctly. Encode it as UTF-8.";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, Code::InvalidParams, message)
    }

    pub fn rate_limited(retry_after_seconds: u64) -> Self {
        let message = format!(
            "You have sent more than 60 requests in a minute without a token. Try again in {retry_after_seconds} s, or use a token."
        );
        Self::new(StatusCode::TOO_MANY_REQUESTS, Code::RateLimited, message)
            .with(RETRY_AFTER, retry_after_seconds.into())
            .because(Reason::Limit)
    }

    pub fn method_not_allowed(allow: HeaderValue) -> Self {
        let message = "This endpoint does not support that method. Use one listed in the Allow header.";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, Code::BadRequest, message).with(ALLOW, allow)
    }

    pub fn request_timeout() -> Self {
        let message = "The request took too long to arrive. Send it again.";
        Self::new(StatusCode::REQUEST_TIMEOUT, Code::BadRequest, message)
    }

    pub fn payload_too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, Code::BadRequest, "The request body is too large. Send a smaller one.")
    }

    pub fn uri_too_long() -> Self {
        let message = "The address is longer than 8 KB. Shorten the query.";
        Self::new(StatusCode::URI_TOO_LONG, Code::BadRequest, message)
    }

    pub fn headers_too_large() -> Self {
        let message = "The request has more than 100 headers, or more than 16 KB of them. Send fewer.";
        Self::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, Code::BadRequest, message)
    }

    pub fn internal() -> Self {
        let message = "Something went wrong on our side, and it has been logged. Try again later.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, Code::Internal, message)
    }

    pub fn unavailable(retry_after_seconds: u64) -> Self {
        let message = "The service can't answer right now. Try again shortly.";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, Code::Unavailable, message).with(RETRY_AFTER, retry_after_seconds.into())
    }

    /// The error for a bare status, from layers that give nothing more.
    pub fn of_status(status: StatusCode) -> Self {
        match status {
            StatusCode::NOT_FOUND => Self::no_such_path(),
            StatusCode::PAYLOAD_TOO_LARGE => Self::payload_too_large(),
            StatusCode::URI_TOO_LONG => Self::uri_too_long(),
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => Self::headers_too_large(),
            StatusCode::SERVICE_UNAVAILABLE => Self::unavailable(1),
            _ if status.is_server_error() => Self { status, ..Self::internal() },
            _ => Self { status, ..Self::bad_request("The request can't be understood. Check it and try again.") },
        }
    }

    pub fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The reason of the denial, only for the log and the metrics.
    pub fn because(self, denied: impl Into<Denied>) -> Self {
        Self { denied: Some(denied.into()), ..self }
    }

    /// Closes the connection after a request whose end is unknown: nothing after it can be trusted.
    pub fn closing(self) -> Self {
        self.with(CONNECTION, HeaderValue::from_static("close"))
    }

    pub fn body(&self) -> Bytes {
        let wire = Error { error: ErrorBody { code: self.code, message: self.message.clone() } };
        serde_json::to_vec(&wire)
            .map_or_else(|_| Bytes::from_static(br#"{"error":{"code":"internal","message":""}}"#), Bytes::from)
    }

    fn new(status: StatusCode, code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status, code, message: message.into(), headers: Vec::new(), denied: None }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response<Body> {
        let mut response = Response::new(Body::from(self.body()));
        *response.status_mut() = self.status;
        response.headers_mut().insert(CONTENT_TYPE, JSON);
        for (name, value) in self.headers {
            response.headers_mut().insert(name, value);
        }
        if let Some(denied) = self.denied {
            response.extensions_mut().insert(denied);
        }
        response
    }
}

/// What a 401 tells a client about getting a token. Built once, at start.
#[derive(Debug, Clone)]
pub struct Challenge {
    missing: HeaderValue,
    invalid: HeaderValue,
}

impl Challenge {
    /// `metadata_url` is the address of the protected-resource metadata (RFC 9728).
    pub fn new(metadata_url: &str) -> Self {
        let escaped = metadata_url.replace('\\', "\\\\").replace('"', "\\\"");
        let base = format!("Bearer resource_metadata=\"{escaped}\", scope=\"read\"");
        let value = |text: &str| HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("Bearer"));
        Self { missing: value(&base), invalid: value(&format!("{base}, error=\"invalid_token\"")) }
    }
}

impl From<app::Error> for ApiError {
    /// The cause is logged here, once, and not part of the public answer.
    fn from(error: app::Error) -> ApiError {
        match error {
            app::Error::UnknownPortfolio { names, .. } => {
                let yours = if names.is_empty() { " (you have none)".to_owned() } else { format!(": {}", names.join(", ")) };
                ApiError::invalid_params("portfolio", &format!("the name or slug of one of your portfolios{yours}"))
            }
            app::Error::Busy => ApiError::unavailable(5),
            outage if outage.is_outage() => {
                tracing::error!(error = %outage, "the database is unavailable");
                ApiError::unavailable(5)
            }
            other => {
                tracing::error!(error = %other, "an answer could not be computed");
                ApiError::internal()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_has_the_shape_of_the_contract() {
        let body = ApiError::not_found("No \"such\" thing.").body();
        assert_eq!(&body[..], br#"{"error":{"code":"not_found","message":"No \"such\" thing."}}"#);
    }

    #[test]
    fn a_challenge_calls_a_token_invalid_only_when_there_was_one() {
        let challenge = Challenge::new("https://x.example/.well-known/oauth-protected-resource/api/v1");
        let header = |presented| ApiError::unauthorized(&challenge, presented).headers[0].1.clone();
        let base = r#"Bearer resource_metadata="https://x.example/.well-known/oauth-protected-resource/api/v1", scope="read""#;
        assert_eq!(header(false), base);
        assert_eq!(header(true), format!("{base}, error=\"invalid_token\""));
        let body = |presented| ApiError::unauthorized(&challenge, presented).body();
        assert_eq!(body(true), body(false));
    }

    #[test]
    fn the_status_of_a_server_failure_never_carries_the_code_of_a_bad_request() {
        for status in 500..=599 {
            let code = ApiError::of_status(StatusCode::from_u16(status).unwrap()).code;
            assert!([Code::Internal, Code::Unavailable].contains(&code), "{status} gave {code:?}");
        }
    }
}
