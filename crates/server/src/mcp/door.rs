//! Who comes in: the token is looked at before the body.

use app::oauth::Audience;
use axum::extract::{Request, State};
use axum::response::Response;

use super::Mcp;
use crate::http::{ApiError, Bearer, Known, bearer};

pub async fn post(State(mcp): State<Mcp>, mut request: Request) -> Result<Response, ApiError> {
    let headers = request.headers();
    mcp.endpoint.admit(headers)?;
    let refused = |presented| ApiError::unauthorized(&mcp.challenge, presented).closing();
    let token = match bearer(headers) {
        Bearer::Missing => return Err(refused(false)),
        Bearer::Malformed => return Err(refused(true)),
        Bearer::Token(token) => token,
    };
    let session = app::tokens::session(&mcp.app, token, Audience::Mcp).await.map_err(failed)?.ok_or_else(|| refused(true))?;
    if session.disabled {
        return Err(ApiError::forbidden("This account is disabled; ask the operator of this service.").closing());
    }
    mcp.endpoint.measure(headers)?;
    request.extensions_mut().insert(Known(session));
    Ok(mcp.endpoint.answer(request).await)
}

fn failed(error: app::Error) -> ApiError {
    tracing::error!(%error, "a token could not be looked up");
    ApiError::unavailable(5)
}
