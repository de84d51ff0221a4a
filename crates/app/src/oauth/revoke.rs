//! Token revocation by an app.

use store::oauth::{grants, refresh_tokens};
use store::tokens;

use super::Failure;
use super::clients::Client;
use crate::App;
use crate::accounts::audit::{self, Event};
use crate::authentication::secret;

/// A refresh token ends its whole grant, an access token only itself. An unknown token, or one of another app, changes nothing,
/// and the answer does not reveal which. Invalid tokens never reach the writer.
pub async fn revoke(app: &App, client: &Client, token: &str) -> Result<(), Failure> {
    let now = app.clock.now_micros();
    let refresh = secret::hash_with(&[secret::REFRESH], token);
    let access = secret::hash_with(&[secret::ACCESS], token);
    let mut tx = app.store.read().await?;
    let found = match (refresh, access) {
        (Some(hash), _) => refresh_tokens::by_hash(&mut tx, &hash.0).await?.map(|found| (found.user_id, found.grant_id)),
        (None, Some(hash)) => tokens::access(&mut tx, &hash.0).await?.map(|found| (found.user_id, found.grant_id)),
        (None, None) => None,
    };
    let Some((user_id, grant_id)) = found else { return Ok(()) };
    let grant = grants::one(&mut tx, user_id, grant_id, now).await?;
    drop(tx);
    if grant.is_none_or(|grant| grant.client_id != client.id) {
        return Ok(());
    }
    let mut tx = app.store.write().await?;
    match access {
        Some(hash) => drop(tokens::delete_access(&mut tx, user_id, &hash.0).await?),
        None if grants::revoke(&mut tx, user_id, grant_id, now).await? => {
            audit::record(&mut tx, user_id, now, Event::AppRevoked, &client.name).await?;
        }
        None => {}
    }
    Ok(tx.commit().await?)
}
