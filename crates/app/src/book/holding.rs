//! Everything a user recorded for one symbol in one portfolio: from its stored snapshot, or else from its entries.

use std::collections::HashSet;
use std::sync::Arc;

use jiff::civil::Date;
use ledger::{Fx, Position};
use store::{Tx, positions};
use uuid::Uuid;

use crate::Error;
use crate::book::lots::{self, Lot};
use crate::book::position_snapshot::{self, Dividends, PositionSnapshot};
use crate::book::rows::entries_of;
use crate::market::traded::Traded;

pub(crate) struct Holding {
    pub portfolio_id: Uuid,
    pub symbol: String,
    pub isin: Option<String>,
    pub name: Option<String>,
    /// Those of the last 24 months and a few days before.
    pub dividends: Dividends,
    /// Date and sequence of the earliest entry.
    pub first: (Date, i64),
    known: Known,
}

enum Known {
    Snapshot { position: Option<Position>, basis: position_snapshot::Basis },
    Entries(Arc<Lot>),
}

impl Holding {
    /// From a snapshot that is valid on that day.
    pub fn from_snapshot(portfolio_id: Uuid, symbol: String, snapshot: PositionSnapshot) -> Holding {
        let PositionSnapshot { first, isin, name, position, dividends, basis, .. } = snapshot;
        Holding { portfolio_id, symbol, isin, name, dividends, first, known: Known::Snapshot { position, basis } }
    }

    /// `None` without entries.
    pub fn from_lot(lot: Lot, today: Date) -> Option<Holding> {
        let first = lot.entries.first()?;
        Some(Holding {
            portfolio_id: lot.portfolio_id,
            symbol: lot.symbol.clone(),
            isin: lot.isin.clone(),
            name: lot.name.clone(),
            dividends: position_snapshot::dividends_paid(&lot.entries, today),
            first: (first.date, first.sequence),
            known: Known::Entries(Arc::new(lot)),
        })
    }

    /// The position from the snapshot; `None` if only the entries can tell.
    pub fn stored_position(&self, traded: Traded<'_>, fx: &Fx) -> Option<Option<Position>> {
        match &self.known {
            Known::Snapshot { position, basis } => basis.is_valid_for(traded, fx).then_some(*position),
            Known::Entries(_) => None,
        }
    }

    /// If the entries were already read.
    pub fn lot(&self) -> Option<Arc<Lot>> {
        match &self.known {
            Known::Snapshot { .. } => None,
            Known::Entries(lot) => Some(lot.clone()),
        }
    }
}

/// In the order of their earliest entry. Entries are only read for holdings without a valid snapshot.
pub(crate) async fn of_user(tx: &mut Tx, user_id: Uuid, today: Date) -> Result<Vec<Holding>, Error> {
    let (mut holdings, mut unknown) = (Vec::new(), HashSet::new());
    for row in positions::of_user(tx, user_id).await? {
        match row.snapshot.as_deref().and_then(PositionSnapshot::read).filter(|snapshot| snapshot.basis.is_valid_on(today)) {
            Some(snapshot) => holdings.push(Holding::from_snapshot(row.portfolio_id, row.symbol, snapshot)),
            None => drop(unknown.insert((row.portfolio_id, row.symbol))),
        }
    }
    if !unknown.is_empty() {
        let rows = entries_of(tx, user_id, &unknown, holdings.len()).await?;
        holdings.extend(lots::gather(&rows)?.into_iter().filter_map(|lot| Holding::from_lot(lot, today)));
    }
    holdings.sort_by_key(|holding| holding.first);
    Ok(holdings)
}
