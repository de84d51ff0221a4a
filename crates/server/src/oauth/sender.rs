//! The form an app sends, and the app's credentials.

use app::oauth::Refused;
use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serving::Fields;

use super::OAuth;
use super::reply::Failed;

const BYTES_MAX: usize = 16 << 10;

pub struct Sent {
    pub fields: Fields,
    pub id: String,
    pub secret: Option<String>,
}

impl FromRequest<OAuth> for Sent {
    type Rejection = Failed;

    async fn from_request(request: Request, _: &OAuth) -> Result<Sent, Failed> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(Refused::NotAForm.into());
        }
        if request.uri().query().is_some_and(|query| !query.is_empty()) {
            return Err(Refused::QueryNotAllowed.into());
        }
        let basic = basic(request.headers())?;
        let body = to_bytes(request.into_body(), BYTES_MAX).await.map_err(|_| Refused::FormTooLarge)?;
        let fields = std::str::from_utf8(&body).ok().and_then(Fields::parse);
        let fields = fields.ok_or(Refused::FormMalformed)?;
        if let Some(name) = fields.repeated() {
            return Err(Refused::ParameterTwice { name: name.to_owned() }.into());
        }
        let (id, secret) = named(basic, &fields)?;
        Ok(Sent { fields, id, secret })
    }
}

impl Sent {
    /// A required parameter.
    pub fn need(&self, name: &str) -> Result<&str, Refused> {
        self.fields.get(name).ok_or_else(|| Refused::ParameterMissing { name: name.to_owned() })
    }
}

fn named(basic: Option<(String, String)>, fields: &Fields) -> Result<(String, Option<String>), Refused> {
    let (id, secret) = (fields.get("client_id"), fields.get("client_secret"));
    match basic {
        Some(_) if secret.is_some() => Err(Refused::CredentialsTwice),
        Some((named, _)) if id.is_some_and(|id| id != named) => Err(Refused::TwoClientIds),
        Some((named, secret)) => Ok((named, Some(secret))),
        None => Ok((id.ok_or(Refused::ClientUnknown)?.to_owned(), secret.map(str::to_owned))),
    }
}

/// RFC 6749 §2.3.1: both parts are form-encoded before they are joined.
pub fn basic(headers: &HeaderMap) -> Result<Option<(String, String)>, Refused> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let text = value.to_str().ok().filter(|_| values.next().is_none());
    let encoded = text.and_then(|text| text.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("basic"));
    let decoded =
        encoded.and_then(|(_, rest)| BASE64_STANDARD.decode(rest.trim()).ok()).and_then(|bytes| String::from_utf8(bytes).ok());
    let pair = decoded.as_deref().and_then(|text| text.split_once(':'));
    let plain = |text: &str| {
        let fields = serving::fields::pairs(&format!("x={text}"))?;
        fields.into_iter().next().map(|(_, value)| value)
    };
    let pair = pair.and_then(|(id, secret)| Some((plain(id)?, plain(secret)?)));
    pair.map(Some).ok_or(Refused::ClientUnknown)
}
