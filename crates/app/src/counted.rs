//! For `benches/counts` only: access to private parts.

use jiff::civil::Date;
use ledger::{Currency, Entry, Fx, Split};
use uuid::Uuid;

use crate::book::lots::Lot;
use crate::book::position_snapshot::PositionSnapshot;
use crate::market::traded::{Traded, fingerprint};

/// Entries of one symbol to compute.
pub struct Ledger(Lot);

impl Ledger {
    pub fn new(entries: Vec<Entry>) -> Ledger {
        let (isin, name) = (Some("US1912161007".to_owned()), Some("Coca-Cola".to_owned()));
        Ledger(Lot { portfolio_id: Uuid::nil(), symbol: "KO".to_owned(), isin, name, entries })
    }

    /// The stored snapshot of these entries.
    pub fn snapshot(&self, currency: Currency, splits: &[Split], fx: &Fx, today: Date) -> Option<Vec<u8>> {
        let traded = Traded { currency: Some(currency), splits, mark: fingerprint(splits) };
        Some(PositionSnapshot::compute(&self.0, traded, true, fx, today)?.written())
    }
}

/// Whether the snapshot has an open position.
pub fn is_held(kept: &[u8]) -> bool {
    PositionSnapshot::read(kept).is_some_and(|snapshot| snapshot.position.is_some())
}
