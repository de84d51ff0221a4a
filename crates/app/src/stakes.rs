//! Everything that a user has entries of.

use std::collections::HashSet;

use jiff::civil::Date;
use store::entries::{self, Entry};
use store::{Tx, positions};
use uuid::Uuid;

use crate::fold::Fold;
use crate::stake::Stake;
use crate::{Error, lots};

/// In the order of their earliest entry. Entries are read of those alone of which nothing is kept that holds today.
pub(crate) async fn of_user(tx: &mut Tx, user_id: Uuid, today: Date) -> Result<Vec<Stake>, Error> {
    let (mut stakes, mut unknown) = (Vec::new(), HashSet::new());
    for row in positions::of_user(tx, user_id).await? {
        match row.fold.as_deref().and_then(Fold::read).filter(|fold| fold.basis.holds_on(today)) {
            Some(fold) => stakes.push(Stake::folded(row.portfolio_id, row.symbol, fold)),
            None => drop(unknown.insert((row.portfolio_id, row.symbol))),
        }
    }
    if !unknown.is_empty() {
        let rows = entries_of(tx, user_id, &unknown, stakes.len()).await?;
        stakes.extend(lots::gather(&rows)?.into_iter().filter_map(|lot| Stake::of_lot(lot, today)));
    }
    stakes.sort_by_key(|stake| stake.first);
    Ok(stakes)
}

/// The entries of these lots; beside so many others.
pub(crate) async fn entries_of(
    tx: &mut Tx,
    user_id: Uuid,
    lots: &HashSet<(Uuid, String)>,
    others: usize,
) -> Result<Vec<Entry>, Error> {
    let symbols: HashSet<&str> = lots.iter().map(|(_, symbol)| symbol.as_str()).collect();
    let symbols: Vec<&str> = symbols.into_iter().collect();
    let mut rows = match lots.len() > others {
        true => entries::of_user(tx, user_id).await?,
        false => entries::of_symbols(tx, user_id, &symbols).await?,
    };
    rows.retain(|row| lots.contains(&(row.portfolio_id, row.symbol.clone())));
    Ok(rows)
}
