//! Why a token was refused, for the log and the metrics. The sender always gets the same answer.

use app::App;
use app::authentication::tokens::{self, Past};
use app::oauth::Audience;
use axum::http::HeaderMap;

use super::{Denials, Denied, Reason};
use crate::request::auth::{Bearer, bearer};
use crate::response::error::{ApiError, Challenge};

/// Refuses a request without a valid token for this audience.
pub async fn unauthorized(app: &App, denials: &Denials, challenge: &Challenge, headers: &HeaderMap, door: Audience) -> ApiError {
    let denied = match bearer(headers) {
        Bearer::Missing => return ApiError::unauthorized(challenge, false),
        Bearer::Malformed => Reason::TokenNoise.into(),
        Bearer::Token(token) => why(app, denials, token, door).await,
    };
    ApiError::unauthorized(challenge, true).because(denied)
}

async fn why(app: &App, denials: &Denials, token: &str, door: Audience) -> Denied {
    if !tokens::is_well_formed(token) {
        return Reason::TokenNoise.into();
    }
    if !denials.may_look() {
        return Reason::TokenMany.into();
    }
    // It is refused in any case.
    let Ok(Some((past, id))) = tokens::past(app, token, door).await else { return Reason::TokenUnknown.into() };
    let reason = match past {
        Past::Revoked => Reason::TokenRevoked,
        Past::Expired => Reason::TokenExpired,
        Past::Elsewhere => Reason::TokenElsewhere,
    };
    Denied { reason, token: Some(id) }
}
