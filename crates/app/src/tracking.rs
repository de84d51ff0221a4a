//! Which symbols a user makes the service track: what they hold, and their radar.

use std::collections::BTreeSet;

use jiff::ToSpan;
use jiff::civil::Date;
use store::{Tx, entries, radar, splits, tracking, versions};
use uuid::Uuid;

use crate::{Error, lots};

/// Brings the user's share of the tracking table up to date; belongs into every write to a ledger or a radar.
pub(crate) async fn refresh(tx: &mut Tx, user_id: Uuid, today: Date) -> Result<(), Error> {
    let mut symbols: BTreeSet<String> = radar::list(tx, user_id).await?.into_iter().map(|row| row.symbol).collect();
    for lot in lots::gather(&entries::of_user(tx, user_id).await?)? {
        if symbols.contains(&lot.symbol) {
            continue;
        }
        let splits = splits::of_symbol(tx, &lot.symbol).await?;
        if !ledger::shares_before(&lot.entries, &splits, today.saturating_add(1.day())).is_zero() {
            symbols.insert(lot.symbol);
        }
    }
    if tracking::replace_for_user(tx, user_id, &symbols).await? {
        versions::bump_tracking(tx).await?;
    }
    Ok(())
}
