//! `POST /oauth/register`: an app describes itself (RFC 7591).

use app::oauth::register::{Registration, check, register};
use app::oauth::{MetadataError, Refused, SCOPE};
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use messages::web::Connect;
use serde_json::{Map, Value, json};

use super::OAuth;
use super::reply::{Reply, answer, error_body, too_many};

const BYTES_MAX: usize = 8 << 10;

pub async fn post(State(oauth): State<OAuth>, request: Request) -> Reply {
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, BYTES_MAX).await else {
        let too_large = invalid(MetadataError::TooLarge { max_kib: BYTES_MAX >> 10 });
        return Ok(answer(StatusCode::PAYLOAD_TOO_LARGE, &error_body(&too_large)));
    };
    let metadata: Map<String, Value> = serde_json::from_slice(&body).map_err(|_| invalid(MetadataError::NotAnObject))?;
    let registration = registration(&metadata)?;
    check(&registration)?;
    let decision = oauth.shared.registrations.check(oauth.client_address(&parts).into()).await;
    if !decision.allowed {
        return Ok(too_many(decision.reset_seconds));
    }
    let registered = register(&oauth.app, &registration).await?;
    let client = registered.client;
    let mut answered = json!({
        "client_id": client.id,
        "client_id_issued_at": registered.created_at / 1_000_000,
        "client_name": Connect::load(messages::by_preference("")).app_name(&client.name),
        "redirect_uris": client.redirect_uris,
        "token_endpoint_auth_method": client.auth_method.word(),
        "grant_types": registered.grant_types,
        "response_types": ["code"],
        "scope": SCOPE,
    });
    if let Some(kind) = registration.application_type {
        answered["application_type"] = kind.into();
    }
    if let Some(secret) = registered.secret {
        answered["client_secret"] = secret.into();
        answered["client_secret_expires_at"] = 0.into();
    }
    Ok(answer(StatusCode::CREATED, &answered))
}

/// Other fields are allowed and ignored, except a secret.
fn registration(metadata: &Map<String, Value>) -> Result<Registration, Refused> {
    if metadata.contains_key("client_secret") {
        return Err(invalid(MetadataError::OwnSecret));
    }
    Ok(Registration {
        name: text(metadata, "client_name")?,
        redirect_uris: texts(metadata, "redirect_uris")?.unwrap_or_default(),
        auth_method: text(metadata, "token_endpoint_auth_method")?,
        grant_types: texts(metadata, "grant_types")?,
        response_types: texts(metadata, "response_types")?,
        application_type: text(metadata, "application_type")?,
        scope: text(metadata, "scope")?,
    })
}

fn text(metadata: &Map<String, Value>, name: &'static str) -> Result<Option<String>, Refused> {
    match metadata.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(invalid(MetadataError::NotAString { name })),
    }
}

fn texts(metadata: &Map<String, Value>, name: &'static str) -> Result<Option<Vec<String>>, Refused> {
    let wrong = || invalid(MetadataError::NotAList { name });
    let list = match metadata.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(wrong()),
    };
    list.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<_>>().map(Some).ok_or_else(wrong)
}

fn invalid(error: MetadataError) -> Refused {
    Refused::Metadata(error)
}
