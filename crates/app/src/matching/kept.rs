//! Securities that are kept under a provisional symbol.

use std::collections::BTreeMap;

use ledger::Currency;
use market::validation;
use store::entries::{Entry, Kind};
use store::instruments::{Match, Origin};
use store::stocks::{Stock, placeholders};
use store::{Tx, entries, name_key};
use uuid::Uuid;

use crate::import::named::kept_symbol;
use crate::{App, Error};

pub(super) struct Kept {
    pub symbol: String,
    /// What files call it.
    pub key: String,
    /// At least one.
    pub entries: Vec<Entry>,
}

pub(super) async fn of_user(tx: &mut Tx, user_id: Uuid) -> Result<Vec<Kept>, Error> {
    let symbols = placeholders::in_ledger(tx, user_id).await?;
    let mut by_symbol: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for entry in entries::of_symbols(tx, user_id, &symbols.iter().map(String::as_str).collect::<Vec<_>>()).await? {
        by_symbol.entry(entry.symbol.clone()).or_default().push(entry);
    }
    let kept = |(symbol, entries): (String, Vec<Entry>)| {
        let named = |name: &String| kept_symbol(&name.to_uppercase()) == symbol;
        let name = entries.iter().filter_map(|entry| entry.name.as_ref()).find(|name| named(name));
        Kept { key: name.map_or_else(|| symbol.clone(), |name| name.to_uppercase()), entries, symbol }
    };
    Ok(by_symbol.into_iter().map(kept).collect())
}

impl Kept {
    pub fn name(&self) -> Option<&str> {
        self.entries.iter().find_map(|entry| entry.name.as_deref())
    }

    /// Whether it is the user's to match. A ticker is not, as long as there is no market data that could confirm it.
    pub fn is_open(&self, app: &App) -> bool {
        self.is_identifiable() || !app.sources().is_empty()
    }

    /// Whether it is kept under its name.
    fn is_named(&self) -> bool {
        is_named(&self.symbol, self.name())
    }

    /// Whether more is known about it than a ticker.
    pub fn is_identifiable(&self) -> bool {
        is_identifiable(&self.symbol, self.name())
    }

    /// What the user decided about it, if it stays under its provisional symbol.
    pub fn decision(&self, matches: &[Match]) -> Option<Origin> {
        matches.iter().find(|one| one.key == self.key && one.symbol == self.symbol).map(|one| one.origin)
    }

    /// The currency of its purchases and sales, if there is only one; without any, that of its first entry.
    pub fn traded_in(&self) -> Option<Currency> {
        let traded = self.entries.iter().filter(|entry| matches!(entry.kind, Kind::Buy | Kind::Sell));
        let mut currencies = traded.map(|entry| entry.currency);
        match currencies.next() {
            Some(first) => currencies.all(|currency| currency == first).then_some(first),
            None => self.entries.first().map(|entry| entry.currency),
        }
    }

    /// Those of the candidates that it can be: a name has to be the same in full.
    pub fn fitting(&self, candidates: Vec<Stock>) -> Vec<Stock> {
        if !isins(&self.symbol).is_empty() {
            return candidates;
        }
        let own = self.name().filter(|_| self.is_named()).map(name_key::key);
        candidates.into_iter().filter(|stock| own.is_some() && stock.name.as_deref().map(name_key::key) == own).collect()
    }
}

/// Whether the symbol is an ISIN, a CUSIP or this name.
pub(super) fn is_identifiable(symbol: &str, name: Option<&str>) -> bool {
    !isins(symbol).is_empty() || is_named(symbol, name)
}

fn is_named(symbol: &str, name: Option<&str>) -> bool {
    name.is_some_and(|name| kept_symbol(&name.to_uppercase()) == symbol)
}

/// The ISINs that a provisional symbol stands for: itself, or those with its CUSIP, which ends in a check digit.
pub(super) fn isins(symbol: &str) -> Vec<String> {
    match validation::isin(symbol) {
        Some(isin) => vec![isin],
        None if !symbol.ends_with(|letter: char| letter.is_ascii_digit()) => Vec::new(),
        None => ["US", "CA"].iter().filter_map(|country| importers::isin_of(country, symbol)).collect(),
    }
}

/// Whether the entry came from a file that calls its security by this key.
pub(super) fn belongs_to(key: &str, entry: &Entry) -> bool {
    match &entry.isin {
        Some(isin) => isin == key,
        None if validation::isin(key).is_some() || entry.import_id.is_none() => false,
        None => !isins(key).is_empty() || entry.name.as_ref().is_some_and(|name| name.to_uppercase() == key),
    }
}
