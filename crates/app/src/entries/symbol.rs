//! Looks up the symbol of an entry.

use ledger::Currency;
use market::{Ability, Urgency};
use uuid::Uuid;

use super::Doubt;
use crate::stocks::{listed, stock_visibility, symbol_lookup};
use crate::{App, Error};

/// What is known about a symbol.
pub(super) enum Known {
    /// It is stored, or blank.
    Here,
    Listed {
        currency: Currency,
        name: Option<String>,
    },
    /// It is accepted only if the user insists.
    Nowhere,
}

pub(super) async fn ask(app: &App, user_id: Uuid, symbol: &str) -> Result<Known, Error> {
    let symbol = symbol.trim().to_uppercase();
    let here = stock_visibility::stock(&mut app.store.read().await?, &symbol, Some(user_id)).await?.is_some();
    if here || symbol.is_empty() {
        return Ok(Known::Here);
    }
    if !super::is_symbol(&symbol) {
        return Ok(Known::Nowhere);
    }
    let listing = listed::listing(app.reference, &symbol);
    let of_reference = |currency| Known::Listed { currency, name: listing.map(|listing| listing.name.to_owned()) };
    if app.sources().market.can(Ability::Quotes) {
        let quotes = app.sources().market.quotes(std::slice::from_ref(&symbol), Urgency::Live).await;
        if let Some(found) = quotes.found.first() {
            return Ok(of_reference(found.answer.unit.currency));
        }
    }
    Ok(listing.map_or(Known::Nowhere, |listing| of_reference(listing.unit.currency)))
}

impl Known {
    /// Whether the stock still has to be added.
    pub fn is_new(&self) -> bool {
        matches!(self, Known::Listed { .. })
    }

    /// Adds a new stock with that data; if its price is implausible, later refreshes will fill it in.
    pub async fn ensure_known(&self, app: &App, user_id: Uuid, symbol: &str) -> Result<(), Error> {
        match symbol_lookup::ensure_known(app, &[symbol.trim().to_uppercase()], Some(user_id)).await {
            Err(Error::Refused(_)) | Ok(()) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub fn currency(&self) -> Option<Currency> {
        match self {
            Known::Listed { currency, .. } => Some(*currency),
            _ => None,
        }
    }

    pub fn name(&self) -> Option<String> {
        match self {
            Known::Listed { name, .. } => name.clone(),
            _ => None,
        }
    }

    pub fn doubt(&self, symbol: &str) -> Option<Doubt> {
        matches!(self, Known::Nowhere).then(|| Doubt::SymbolUnknown { symbol: symbol.trim().to_uppercase() })
    }
}
