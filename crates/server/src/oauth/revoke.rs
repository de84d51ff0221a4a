//! `POST /oauth/revoke`: always 200, as RFC 7009 requires.

use app::oauth::{clients, revoke};
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::json;

use super::OAuth;
use super::reply::{Reply, answer};
use super::sender::Sent;

pub async fn post(State(oauth): State<OAuth>, sent: Sent) -> Reply {
    let client = clients::authenticate(&oauth.app, &sent.id, sent.secret.as_deref()).await?;
    revoke(&oauth.app, &client, sent.need("token")?).await?;
    Ok(answer(StatusCode::OK, &json!({})))
}
