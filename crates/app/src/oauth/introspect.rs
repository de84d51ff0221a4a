//! Token introspection, for servers that may ask.

use store::oauth::grants;
use store::tokens;
use uuid::Uuid;

use super::Audience;
use crate::authentication::secret;
use crate::{App, Error};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Introspection {
    pub user_id: Uuid,
    pub client_id: String,
    pub audience: Audience,
    pub issued_at_seconds: i64,
    pub expires_at_seconds: i64,
}

/// `None` for everything that is not a valid access token of an app.
pub async fn introspect(app: &App, token: &str) -> Result<Option<Introspection>, Error> {
    let Some(hash) = secret::hash_with(&[secret::ACCESS], token) else { return Ok(None) };
    let now = app.clock.now_micros();
    let mut tx = app.store.read().await?;
    let found = tokens::access(&mut tx, &hash.0).await?.filter(|found| !found.disabled && now < found.expires_at);
    let Some(found) = found else { return Ok(None) };
    let Some(grant) = grants::one(&mut tx, found.user_id, found.grant_id, now).await? else { return Ok(None) };
    Ok(Some(Introspection {
        user_id: found.user_id,
        client_id: grant.client_id,
        audience: found.audience,
        issued_at_seconds: found.created_at / super::SECOND,
        expires_at_seconds: found.expires_at / super::SECOND,
    }))
}
