//! Which symbols a user makes the service track: holdings and watchlist.

use std::collections::BTreeMap;

use store::{Tx, radar, tracking, versions};
use uuid::Uuid;

use crate::book::position_snapshot::{self, LoadedEntries};
use crate::{App, Error};

/// Updates what is derived from the user's ledger and watchlist: the snapshots, and the user's rows of the tracking table.
/// Belongs in every write to a ledger or watchlist.
pub(crate) async fn refresh(app: &App, tx: &mut Tx, user_id: Uuid) -> Result<(), Error> {
    let mut symbols = position_snapshot::refresh(app, tx, user_id).await?;
    symbols.extend(radar::list(tx, user_id).await?.into_iter().map(|row| row.symbol));
    if tracking::replace_for_user(tx, user_id, &symbols).await? {
        versions::bump_tracking(tx).await?;
    }
    Ok(())
}

/// The same after a write of entries only, whose positions the store has marked.
pub(crate) async fn refresh_written(app: &App, tx: &mut Tx, user_id: Uuid, loaded: LoadedEntries) -> Result<(), Error> {
    let Some(held) = position_snapshot::refresh_marked(app, tx, user_id, loaded).await? else {
        return refresh(app, tx, user_id).await;
    };
    let mut symbols = BTreeMap::new();
    for (symbol, held) in held {
        let tracked = held || radar::has(tx, user_id, &symbol).await?;
        symbols.insert(symbol, tracked);
    }
    if tracking::put_for_user(tx, user_id, &symbols).await? {
        versions::bump_tracking(tx).await?;
    }
    Ok(())
}
