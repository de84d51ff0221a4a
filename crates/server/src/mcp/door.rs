//! Authenticates or counts a request before its body is read.

use app::oauth::Audience;
use axum::extract::{Request, State};
use axum::response::Response;
use serving::denials::unauthorized;
use serving::{ApiError, Bearer, Known, bearer};

use super::Mcp;

pub async fn post(State(mcp): State<Mcp>, mut request: Request) -> Result<Response, ApiError> {
    let headers = request.headers();
    mcp.endpoint.admit(headers)?;
    let session = match bearer(headers) {
        Bearer::Token(token) => app::authentication::tokens::session(&mcp.app, token, Audience::Mcp).await.map_err(failed)?,
        Bearer::Missing | Bearer::Malformed => None,
    };
    let Some(session) = session else {
        return Err(unauthorized(&mcp.app, &mcp.request_metrics.denials, &mcp.challenge, headers, Audience::Mcp).await.closing());
    };
    if session.disabled {
        return Err(ApiError::disabled(session.token_id).closing());
    }
    mcp.endpoint.measure(headers)?;
    request.extensions_mut().insert(Known(session));
    Ok(mcp.endpoint.answer(request).await)
}

/// For anybody, within the limit of the public endpoints.
pub async fn post_public(State(mcp): State<Mcp>, request: Request) -> Result<Response, ApiError> {
    mcp.public.admit(request.headers())?;
    let (parts, body) = request.into_parts();
    let limit = mcp.api.count_visitor(&parts).await.map_err(ApiError::closing)?;
    mcp.public.measure(&parts.headers)?;
    let mut response = mcp.public.answer(Request::from_parts(parts, body)).await;
    response.headers_mut().extend(limit);
    Ok(response)
}

fn failed(error: app::Error) -> ApiError {
    tracing::error!(%error, "a token could not be looked up");
    ApiError::unavailable(5)
}
