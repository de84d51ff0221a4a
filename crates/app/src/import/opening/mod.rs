//! Shares held before the history in the ledger begins, and the opening position that adds them.

pub(super) mod reopen;

use importers::{Kind, Record};
use jiff::ToSpan;
use jiff::civil::Date;
use ledger::{Currency, Decimal, Event, Fx, ReplayError, SharesMissing};
use store::entries::Entry;

use super::check::Conflict;
use crate::book::lots::{OPENING, OPENING_ESTIMATED};

/// A transfer in that an import adds in addition to the rows of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    pub date: Date,
    pub shares: Decimal,
    /// Of all shares together.
    pub cost: Decimal,
    /// False if it is an estimate.
    pub cost_known: bool,
    pub currency: Currency,
}

impl Opening {
    /// For a symbol.
    pub(super) fn record(&self, symbol: &str) -> Record {
        Record {
            symbol: Some(symbol.to_owned()),
            shares: Some(self.shares),
            amount: Some(self.cost),
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
            amount: Some(self.cost),
            fees: None,
            tax: None,
            net: None,
            currency: self.currency,
            fx_rate: None,
            ratio: None,
            ex_date: None,
            source: self.source().to_owned(),
            source_id: None,
            note: None,
            identity,
            gross_known: true,
            reinvests: None,
            ..needed_by.clone()
        }
    }

    pub(super) fn source(&self) -> &'static str {
        if self.cost_known { OPENING } else { OPENING_ESTIMATED }
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
    /// What one of the missing shares was first sold for, if it was sold.
    pub price: Option<Decimal>,
}

/// Decimals of an estimated cost.
pub(super) const ESTIMATE_DECIMALS: u32 = 6;

impl MissingShares {
    /// `None` if no opening position would help. An opening position that the row already has, given by its sequence, would be
    /// replaced.
    pub(super) fn of(conflict: &Conflict, replaced: Option<i64>) -> Option<MissingShares> {
        let ReplayError::Oversold { held, asked, .. } = conflict.cause else { return None };
        let mut entries = conflict.lot.entries.clone();
        entries.retain(|entry| Some(entry.sequence) != replaced);
        let first = entries.iter().map(|entry| entry.date).min()?;
        let missing = ledger::shares_missing(&entries, &conflict.splits).ok()??;
        Some(MissingShares {
            symbol: conflict.lot.symbol.clone(),
            date: first.checked_sub(1.day()).ok()?,
            shares: missing.shares,
            short: asked.checked_sub(held)?,
            currency: conflict.currency,
            price: price_of(&entries, &missing, conflict.currency, &conflict.fx),
        })
    }

    /// An opening position at the price of the sale, because the user does not know the cost.
    pub(super) fn estimated(&self, date: Date, shares: Decimal) -> Opening {
        let cost = self.price.and_then(|price| price.checked_mul(shares)).unwrap_or_default();
        Opening { date, shares, cost: cost.round_dp(ESTIMATE_DECIMALS), cost_known: false, currency: self.currency }
    }

    pub(super) fn opening(&self) -> Opening {
        self.estimated(self.date, self.shares)
    }
}

/// What one of the missing shares was first sold for, in the currency that the instrument trades in.
pub(super) fn price_of(entries: &[ledger::Entry], missing: &SharesMissing, currency: Currency, fx: &Fx) -> Option<Decimal> {
    let sale = entries.iter().find(|entry| entry.sequence == missing.sequence)?;
    let Event::Sell(trade) = &sale.event else { return None };
    let amount = match sale.fx_rate {
        _ if sale.currency == currency => Some(trade.amount),
        Some(rate) => trade.amount.checked_mul(rate),
        None => fx.convert(trade.amount, sale.currency, currency, sale.date),
    };
    let grown = amount?.checked_mul(missing.grown.new)?;
    grown.checked_div(trade.shares.checked_mul(missing.grown.old)?)
}
