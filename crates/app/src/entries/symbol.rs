//! Looks up the symbol of an entry.

use ledger::Currency;
use market::{Ability, Urgency};
use uuid::Uuid;

use super::{Problem, Reason, Similar};
use crate::stocks::{listed, stock, stock_visibility, symbol_lookup};
use crate::{App, Error};

const OFFERED_MAX: usize = 3;

/// What a provider or the reference data says about a symbol that is unknown here.
pub(super) enum Known {
    /// No provider was asked, or none could answer: as in a file, the symbol is accepted as it is.
    Unasked,
    Listed {
        currency: Currency,
        name: Option<String>,
    },
    /// Unknown to every provider, but there are similar ones.
    Nowhere(Vec<Similar>),
}

pub(super) async fn ask(app: &App, user_id: Uuid, symbol: &str) -> Result<Known, Error> {
    let symbol = symbol.trim().to_uppercase();
    let here = stock_visibility::stock(&mut app.store.read().await?, &symbol, Some(user_id)).await?.is_some();
    if here || importers::fields::symbol("symbol", &symbol).is_err() || symbol.is_empty() {
        return Ok(Known::Unasked);
    }
    let listing = listed::listing(app.reference, &symbol);
    let of_reference = |currency| Known::Listed { currency, name: listing.map(|listing| listing.name.to_owned()) };
    let unasked = || listing.map_or(Known::Unasked, |listing| of_reference(listing.unit.currency));
    if !app.sources().market.can(Ability::Quotes) {
        return Ok(unasked());
    }
    let quotes = app.sources().market.quotes(std::slice::from_ref(&symbol), Urgency::Live).await;
    if let Some(found) = quotes.found.first() {
        return Ok(of_reference(found.answer.unit.currency));
    }
    if quotes.unknown.is_empty() || listing.is_some() {
        return Ok(unasked());
    }
    let similar = stock::catalogue(app).await?.search(&symbol, Some(&[])).into_iter().take(OFFERED_MAX);
    Ok(Known::Nowhere(similar.map(|hit| Similar { symbol: hit.symbol, name: hit.name }).collect()))
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

    pub fn problem(&self, symbol: &str) -> Option<Problem> {
        let Known::Nowhere(similar) = self else { return None };
        let reason = Reason::SymbolUnknown { symbol: symbol.to_owned(), similar: similar.clone() };
        Some(Problem { field: "symbol", reason })
    }
}
