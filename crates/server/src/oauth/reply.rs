//! Responses in the format of OAuth, never cached.

use app::oauth::{Failure, Issued, Refused, SCOPE};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, PRAGMA, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use serving::{Denied, Reason};

pub type Reply = Result<Response, Failed>;

/// Converted to a response at the end.
pub struct Failed(Failure);

impl<T: Into<Failure>> From<T> for Failed {
    fn from(failure: T) -> Failed {
        Failed(failure.into())
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        match self.0 {
            Failure::Refused(refused) => refusal(&refused),
            Failure::Other(error) if error.is_outage() => {
                tracing::error!(%error, "the database is not available");
                refusal(&Refused::Unavailable)
            }
            Failure::Other(error) => {
                tracing::error!(%error, "a token request could not be answered");
                let body = json!({"error": "server_error", "error_description": "something went wrong on our side"});
                answer(StatusCode::INTERNAL_SERVER_ERROR, &body)
            }
        }
    }
}

pub fn error_body(refused: &Refused) -> Value {
    let description = messages::errors::oauth(messages::by_preference(""), refused);
    json!({"error": refused.code(), "error_description": description})
}

fn refusal(refused: &Refused) -> Response {
    let status = match refused.code() {
        "invalid_client" => StatusCode::UNAUTHORIZED,
        "temporarily_unavailable" => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::BAD_REQUEST,
    };
    let mut response = answer(status, &error_body(refused));
    let denied = match refused.code() {
        "invalid_client" => Some(Reason::App),
        "invalid_grant" => Some(Reason::Grant),
        _ => None,
    };
    if let Some(reason) = denied {
        response.extensions_mut().insert(Denied::from(reason));
    }
    let headers = response.headers_mut();
    match status {
        StatusCode::UNAUTHORIZED => headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"dripline\"")),
        StatusCode::SERVICE_UNAVAILABLE => headers.insert(RETRY_AFTER, HeaderValue::from_static("5")),
        _ => None,
    };
    response
}

pub fn too_many(wait_seconds: u64) -> Response {
    let body = json!({"error": "temporarily_unavailable", "error_description": format!("too many requests; try again in {wait_seconds} s")});
    let mut response = answer(StatusCode::TOO_MANY_REQUESTS, &body);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(wait_seconds));
    response.extensions_mut().insert(Denied::from(Reason::Limit));
    response
}

pub fn answer(status: StatusCode, body: &Value) -> Response {
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store"), (PRAGMA, "no-cache")];
    (status, headers, body.to_string()).into_response()
}

pub fn issued(issued: &Issued) -> Response {
    let body = json!({
        "access_token": issued.access_token,
        "token_type": "Bearer",
        "expires_in": issued.expires_in_seconds,
        "refresh_token": issued.refresh_token,
        "scope": SCOPE,
    });
    answer(StatusCode::OK, &body)
}
