//! `POST /oauth/token`

use app::oauth::register::DEVICE_GRANT;
use app::oauth::{CodeGiven, RefreshGiven, Refused, by_code, by_refresh_token, clients, device};
use axum::extract::State;

use super::OAuth;
use super::reply::{Reply, issued};
use super::sender::Sent;

pub async fn post(State(oauth): State<OAuth>, sent: Sent) -> Reply {
    let grant = sent.need("grant_type")?;
    if !["authorization_code", "refresh_token", DEVICE_GRANT].contains(&grant) {
        return Err(Refused::GrantTypeUnsupported.into());
    }
    let (app, base_url) = (&oauth.app, oauth.base_url());
    let client = clients::authenticate(app, &sent.id, sent.secret.as_deref()).await?;
    let fields = &sent.fields;
    let given = match grant {
        "authorization_code" => {
            let code = CodeGiven {
                code: sent.need("code")?,
                redirect_uri: fields.get("redirect_uri"),
                verifier: fields.get("code_verifier"),
                resource: fields.get("resource"),
            };
            by_code(app, base_url, &client, code).await?
        }
        "refresh_token" => {
            let token = RefreshGiven {
                refresh_token: sent.need("refresh_token")?,
                scope: fields.get("scope"),
                resource: fields.get("resource"),
            };
            by_refresh_token(app, base_url, &client, token).await?
        }
        _ => device::poll(app, &client, sent.need("device_code")?).await?,
    };
    Ok(issued(&given))
}
