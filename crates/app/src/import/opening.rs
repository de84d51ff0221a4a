//! Shares held before the history in the ledger begins, and the opening position that adds them.

use importers::{Kind, Record};
use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Currency, Decimal, ReplayError};
use store::entries::Entry;

use super::check::Conflict;

/// A transfer in that an import adds in addition to the rows of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    pub date: Date,
    pub shares: Decimal,
    /// Of all shares together; zero if none is given.
    pub cost: Option<Decimal>,
    pub currency: Currency,
}

impl Opening {
    /// For a symbol.
    pub(super) fn record(&self, symbol: &str) -> Record {
        Record {
            symbol: Some(symbol.to_owned()),
            shares: Some(self.shares),
            amount: Some(self.cost.unwrap_or_default()),
            currency: Some(self.currency),
            ..Record::new(0, self.date, Kind::TransferIn)
        }
    }

    /// In the same portfolio and symbol as the entry that needs it.
    pub(super) fn entry(&self, needed_by: &Entry, identity: String) -> Entry {
        Entry {
            date: self.date,
            kind: Kind::TransferIn,
            shares: Some(self.shares),
            price: None,
            amount: Some(self.cost.unwrap_or_default()),
            fees: None,
            tax: None,
            net: None,
            currency: self.currency,
            fx_rate: None,
            ratio: None,
            ex_date: None,
            source_id: None,
            note: None,
            identity,
            gross_known: true,
            ..needed_by.clone()
        }
    }
}

/// The opening position that a ledger lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingShares {
    pub symbol: String,
    /// The day before the first transaction.
    pub date: Date,
    /// Enough for all later sales.
    pub shares: Decimal,
    /// How many shares the row itself lacks.
    pub short: Decimal,
    pub currency: Currency,
}

impl MissingShares {
    /// `None` if no opening position would help. An opening position that the row already has, given by its sequence, would be
    /// replaced.
    pub(super) fn of(conflict: &Conflict, replaced: Option<i64>) -> Option<MissingShares> {
        let ReplayError::Oversold { held, asked, .. } = conflict.cause else { return None };
        let mut entries = conflict.lot.entries.clone();
        entries.retain(|entry| Some(entry.sequence) != replaced);
        let first = entries.iter().map(|entry| entry.date).min()?;
        let shares = ledger::shares_missing(&entries, &conflict.splits).ok().filter(|shares| *shares > Decimal::ZERO)?;
        let date = first.checked_sub(1.day()).ok()?;
        let (symbol, short) = (conflict.lot.symbol.clone(), asked.checked_sub(held)?);
        Some(MissingShares { symbol, date, shares, short, currency: conflict.currency })
    }
}
