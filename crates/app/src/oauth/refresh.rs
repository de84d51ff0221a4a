//! Exchanges a refresh token for new tokens. It is replaced at its first use; using an old one again means that two parties have
//! it.

use store::oauth::grants::{self, Grant};
use store::oauth::refresh_tokens;
use store::{Tx, users};
use uuid::Uuid;

use super::clients::Client;
use super::tokens::{self, Issued, Pair};
use super::{Failure, Refused, SECOND, audience, check_scope};
use crate::accounts::audit::{self, Event};
use crate::authentication::secret;
use crate::{App, Error};

/// Several processes of one app may share a token, and an answer may get lost: for this long the same token gets the same
/// successor.
const GRACE: i64 = 30 * SECOND;
const HOUR: i64 = 60 * 60 * SECOND;
/// Per grant: an access token lives an hour, and several processes may share it.
const AN_HOUR_MAX: i64 = 60;

#[derive(Clone, Copy)]
pub struct RefreshGiven<'a> {
    pub refresh_token: &'a str,
    pub scope: Option<&'a str>,
    pub resource: Option<&'a str>,
}

pub async fn by_refresh_token(app: &App, base_url: &str, client: &Client, given: RefreshGiven<'_>) -> Result<Issued, Failure> {
    let no_such = || Refused::RefreshTokenInvalid;
    let hash = secret::hash_with(&[secret::REFRESH], given.refresh_token).ok_or_else(no_such)?.0;
    let now = app.clock.now_micros();
    // Invalid tokens never reach the write lock; what is read here is read again under it.
    let owner = refresh_tokens::by_hash(&mut app.store.read().await?, &hash).await?.ok_or_else(no_such)?.user_id;
    let mut tx = app.store.write_for(owner).await?;
    let token = refresh_tokens::by_hash(&mut tx, &hash).await?.ok_or_else(no_such)?;
    let user_id = token.user_id;
    let grant = grants::one(&mut tx, user_id, token.grant_id, now).await?.ok_or_else(no_such)?;
    if grant.client_id != client.id {
        return Err(no_such().into());
    }
    if token.rotated_at.is_some_and(|at| now - at > GRACE) {
        grants::revoke(&mut tx, user_id, grant.id, now).await?;
        audit::record(&mut tx, user_id, now, Event::TokenReused, &client.name).await?;
        tx.commit().await?;
        return Err(no_such().into());
    }
    if now >= token.expires_at {
        return Err(no_such().into());
    }
    check_scope(given.scope)?;
    if given.resource.is_some() && audience(base_url, given.resource)? != grant.audience {
        return Err(Refused::TargetUnknown.into());
    }
    if users::by_id(&mut tx, user_id).await?.is_none_or(|user| user.disabled) {
        return Err(no_such().into());
    }
    if let Some(at) = token.rotated_at {
        let salt = token.salt.ok_or_else(no_such)?;
        return Ok(Pair::succeeding(given.refresh_token, &salt).issued(&grant, at, now));
    }
    if refresh_tokens::count_since(&mut tx, user_id, grant.id, now - HOUR).await? >= AN_HOUR_MAX {
        return Err(Refused::TooManyTokens.into());
    }
    let issued = rotate(&mut tx, user_id, &grant, given.refresh_token, now).await?;
    tx.commit().await?;
    Ok(issued)
}

/// The database only gets the salt. Without the token, nobody can derive the successor.
async fn rotate(tx: &mut Tx, user_id: Uuid, grant: &Grant, refresh_token: &str, now: i64) -> Result<Issued, Error> {
    let salt = secret::salt()?;
    refresh_tokens::rotate(tx, &secret::hash(refresh_token), now, &salt).await?;
    refresh_tokens::forget_salts(tx, user_id, grant.id, now - GRACE).await?;
    tokens::issue(tx, user_id, grant, Pair::succeeding(refresh_token, &salt), now).await
}
