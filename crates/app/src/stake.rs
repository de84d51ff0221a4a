//! A lot as answers about positions need it: from what is kept of it, else from its entries.

use std::sync::Arc;

use jiff::civil::Date;
use ledger::{Fx, Position};
use uuid::Uuid;

use crate::fold::{self, Dividends, Fold};
use crate::lots::{Lot, Traded};

pub(crate) struct Stake {
    pub portfolio_id: Uuid,
    pub symbol: String,
    pub isin: Option<String>,
    pub name: Option<String>,
    /// Those of the last 24 months, and some of the days before.
    pub dividends: Dividends,
    /// Day and sequence of the earliest entry.
    pub first: (Date, i64),
    known: Known,
}

enum Known {
    Folded { position: Option<Position>, basis: fold::Basis },
    Entries(Arc<Lot>),
}

impl Stake {
    /// `fold` holds on the day.
    pub fn folded(portfolio_id: Uuid, symbol: String, fold: Fold) -> Stake {
        let Fold { first, isin, name, position, dividends, basis, .. } = fold;
        Stake { portfolio_id, symbol, isin, name, dividends, first, known: Known::Folded { position, basis } }
    }

    /// None without entries.
    pub fn of_lot(lot: Lot, today: Date) -> Option<Stake> {
        let first = lot.entries.first()?;
        Some(Stake {
            portfolio_id: lot.portfolio_id,
            symbol: lot.symbol.clone(),
            isin: lot.isin.clone(),
            name: lot.name.clone(),
            dividends: fold::paid(&lot.entries, today),
            first: (first.date, first.sequence),
            known: Known::Entries(Arc::new(lot)),
        })
    }

    /// The position as it is kept; none where only the entries tell.
    pub fn kept(&self, traded: Traded<'_>, fx: &Fx) -> Option<Option<Position>> {
        match &self.known {
            Known::Folded { position, basis } => basis.holds_for(traded, fx).then_some(*position),
            Known::Entries(_) => None,
        }
    }

    /// Where they were read already.
    pub fn lot(&self) -> Option<Arc<Lot>> {
        match &self.known {
            Known::Folded { .. } => None,
            Known::Entries(lot) => Some(lot.clone()),
        }
    }
}
