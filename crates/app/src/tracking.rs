//! Which symbols a user makes the service track: what they hold, and their radar.

use store::{Tx, radar, tracking, versions};
use uuid::Uuid;

use crate::{App, Error, folding};

/// Brings what is derived from the user's ledger and radar up to date: the folds, and the user's share of the tracking table.
/// Belongs into every write to a ledger or a radar.
pub(crate) async fn refresh(app: &App, tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    let mut symbols = folding::refresh(app, tx, user_id).await?;
    symbols.extend(radar::list(tx, user_id).await?.into_iter().map(|row| row.symbol));
    if tracking::replace_for_user(tx, user_id, &symbols).await? {
        versions::bump_tracking(tx).await?;
    }
    Ok(())
}
