//! `POST /oauth/device_authorization`: a device requests codes.

use app::oauth::{clients, device};
use axum::extract::{FromRequest, Request, State};
use axum::http::StatusCode;
use serde_json::json;

use super::OAuth;
use super::reply::{Reply, answer, too_many};
use super::sender::Sent;

pub async fn post(State(oauth): State<OAuth>, request: Request) -> Reply {
    let (parts, body) = request.into_parts();
    let decision = oauth.shared.devices.check(oauth.client_address(&parts).into()).await;
    if !decision.allowed {
        return Ok(too_many(decision.reset_seconds));
    }
    let sent = Sent::from_request(Request::from_parts(parts, body), &oauth).await?;
    clients::find(&oauth.app, &*oauth.shared.documents, &sent.id).await?;
    let client = clients::authenticate(&oauth.app, &sent.id, sent.secret.as_deref()).await?;
    let base = oauth.base_url();
    let started = device::start(&oauth.app, base, &client, sent.fields.get("scope"), sent.fields.get("resource")).await?;
    let body = json!({
        "device_code": started.device_code,
        "user_code": started.user_code,
        "verification_uri": format!("{base}/device"),
        "verification_uri_complete": format!("{base}/device?code={}", started.user_code),
        "expires_in": started.expires_in_seconds,
        "interval": started.interval_seconds,
    });
    Ok(answer(StatusCode::OK, &body))
}
