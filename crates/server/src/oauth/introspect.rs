//! `POST /oauth/introspect`, for resource servers added by the operator.

use app::oauth::{Refused, SCOPE, clients, introspect, resource};
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::json;

use super::OAuth;
use super::reply::{Reply, answer};
use super::sender::Sent;

pub async fn post(State(oauth): State<OAuth>, sent: Sent) -> Reply {
    let secret = sent.secret.as_deref().ok_or(Refused::ClientUnknown)?;
    clients::authenticate_resource_server(&oauth.app, &sent.id, secret).await?;
    let body = match introspect(&oauth.app, sent.need("token")?).await? {
        None => json!({"active": false}),
        Some(token) => json!({
            "active": true,
            "scope": SCOPE,
            "client_id": token.client_id,
            "token_type": "Bearer",
            "sub": token.user_id.to_string(),
            "aud": resource(oauth.base_url(), token.audience),
            "iss": oauth.base_url(),
            "iat": token.issued_at_seconds,
            "exp": token.expires_at_seconds,
        }),
    };
    Ok(answer(StatusCode::OK, &body))
}
