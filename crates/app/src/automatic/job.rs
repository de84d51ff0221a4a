//! Records what is due for all users.

use store::{portfolios, users};
use uuid::Uuid;

use super::reconcile;
use crate::book::refresh;
use crate::{App, Error};

/// Whether anybody wants payments to be recorded.
pub(crate) async fn is_wanted(app: &App) -> Result<bool, Error> {
    Ok(!portfolios::users_recording(&mut app.store.read().await?).await?.is_empty())
}

/// For every user for whom payments are recorded; returns for how many something changed.
pub async fn record_due(app: &App) -> Result<usize, Error> {
    let users = portfolios::users_recording(&mut app.store.read().await?).await?;
    let mut changed = 0;
    for user_id in users {
        match record_for(app, user_id).await {
            Ok(recorded) => changed += usize::from(recorded),
            Err(Error::Store(error)) => return Err(error.into()),
            // The ledger of one user must not keep those of others waiting.
            Err(error) => tracing::warn!(%user_id, %error, "a user's dividends could not be recorded"),
        }
    }
    Ok(changed)
}

/// The lock of the user's writes keeps two nodes from recording the same payment. True if anything changed.
async fn record_for(app: &App, user_id: Uuid) -> Result<bool, Error> {
    // By reading first, because most often nothing has changed.
    if reconcile::changes_of(app, &mut app.store.read().await?, user_id).await?.is_empty() {
        return Ok(false);
    }
    let mut tx = app.store.write_for(user_id).await?;
    let changed = reconcile::everything(app, &mut tx, user_id).await?;
    if changed {
        refresh::all(app, &mut tx, user_id).await?;
        users::bump_version(&mut tx, user_id).await?;
        tx.commit().await?;
    }
    Ok(changed)
}
