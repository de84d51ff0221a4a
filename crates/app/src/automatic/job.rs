//! Records what is due for all users.

use store::{portfolios, users};

use super::reconcile;
use crate::book::refresh;
use crate::{App, Error};

/// For every user for whom payments are recorded; returns for how many something changed. The lock of each user's writes keeps two
/// nodes from recording the same payment.
pub async fn record_due(app: &App) -> Result<usize, Error> {
    let users = portfolios::users_recording(&mut app.store.read().await?).await?;
    let mut changed = 0;
    for user_id in users {
        // By reading first, because most often nothing has changed.
        if reconcile::changes_of(app, &mut app.store.read().await?, user_id).await?.is_empty() {
            continue;
        }
        let mut tx = app.store.write_for(user_id).await?;
        if reconcile::everything(app, &mut tx, user_id).await? {
            refresh::all(app, &mut tx, user_id).await?;
            users::bump_version(&mut tx, user_id).await?;
            tx.commit().await?;
            changed += 1;
        }
    }
    Ok(changed)
}
