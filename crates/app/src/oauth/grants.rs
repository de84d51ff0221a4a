//! A user's grants, to list and to revoke.

use store::Tx;
use store::oauth::grants;
use uuid::Uuid;

pub use store::oauth::grants::Grant;

use crate::accounts::audit::{self, Event};
use crate::{App, Error, refusal};

/// Valid grants, newest first.
pub async fn list(app: &App, user_id: Uuid) -> Result<Vec<Grant>, Error> {
    Ok(grants::live(&mut app.store.read().await?, user_id, app.clock.now_micros()).await?)
}

/// All its tokens are refused from the next request on. Another user's grant is not found.
pub async fn revoke(app: &App, user_id: Uuid, id: Uuid) -> Result<(), Error> {
    let now = app.clock.now_micros();
    let mut tx = app.store.write_for(user_id).await?;
    let Some(grant) = grants::one(&mut tx, user_id, id, now).await? else {
        return Err(refusal::Client::NoAccess.into());
    };
    grants::revoke(&mut tx, user_id, id, now).await?;
    audit::record(&mut tx, user_id, now, Event::AppRevoked, &grant.client_name).await?;
    Ok(tx.commit().await?)
}

/// Returns how many there were.
pub async fn revoke_all(app: &App, user_id: Uuid) -> Result<usize, Error> {
    let now = app.clock.now_micros();
    let mut tx = app.store.write_for(user_id).await?;
    let ended = end_all(&mut tx, user_id, now).await?;
    tx.commit().await?;
    Ok(ended)
}

/// Belongs in the transaction of the change that requires it.
pub(crate) async fn end_all(tx: &mut Tx, user_id: Uuid, now: i64) -> Result<usize, Error> {
    let live = grants::live(tx, user_id, now).await?;
    for grant in &live {
        grants::revoke(tx, user_id, grant.id, now).await?;
        audit::record(tx, user_id, now, Event::AppRevoked, &grant.client_name).await?;
    }
    Ok(live.len())
}
