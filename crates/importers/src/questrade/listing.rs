//! Which listing a row means: trades have `XEI.TO`, dividends of the same fund may have `XEI`, `.XEI` or an internal code.

use std::collections::HashMap;

use super::description;
use crate::Record;
use crate::reading::{Line, Table, Words, suffix};

static EXCHANGES: Words = Words::new(include_str!("exchanges.txt"));

#[derive(Clone)]
struct Listing {
    ticker: String,
    suffix: &'static str,
}

/// The full symbols in the file's trades, by issuer and by plain ticker, each with its currency.
pub struct Listings(HashMap<(String, String), Listing>);

impl Listings {
    pub fn of(table: &Table<'_>) -> Listings {
        let mut known = HashMap::new();
        for line in table.lines() {
            let currency = line.text("currency").unwrap_or_default();
            let Some(listing) = line.text("symbol").and_then(|symbol| full(symbol, currency)) else { continue };
            if let Some(name) = line.text("description").and_then(description::name) {
                known.entry((name, currency.to_owned())).or_insert(listing.clone());
            }
            known.entry((listing.ticker.clone(), currency.to_owned())).or_insert(listing);
        }
        Listings(known)
    }

    pub fn put(&self, line: &Line<'_, '_>, record: &mut Record) {
        let currency = line.text("currency").unwrap_or_default().to_owned();
        let symbol = line.text("symbol").unwrap_or_default();
        record.name = line.text("description").and_then(description::name);
        let plain = symbol.trim_start_matches('.').to_uppercase();
        let by_name = || self.0.get(&(record.name.clone()?, currency.clone())).cloned();
        let by_ticker = || self.0.get(&(plain.clone(), currency.clone())).cloned();
        if let Some(listing) = full(symbol, &currency).or_else(by_ticker).or_else(by_name) {
            record.ticker = Some(listing.ticker);
            record.suffix = Some(listing.suffix);
        } else if !plain.is_empty() && !is_code(&plain) {
            record.ticker = Some(plain);
            // A leading point is Questrade's mark for Toronto.
            record.suffix = symbol.starts_with('.').then_some(".TO");
        }
    }
}

/// A symbol with its exchange.
fn full(symbol: &str, currency: &str) -> Option<Listing> {
    let symbol = symbol.to_uppercase();
    if symbol.starts_with('.') || is_code(&symbol) || symbol.is_empty() {
        return None;
    }
    let exchange = symbol
        .rsplit_once('.')
        .and_then(|(ticker, exchange)| Some(Listing { ticker: ticker.to_owned(), suffix: suffix(&EXCHANGES, exchange)? }));
    exchange.or_else(|| (currency == "USD").then_some(Listing { ticker: symbol, suffix: "" }))
}

/// A letter and six or seven digits: one of Questrade's own codes.
fn is_code(symbol: &str) -> bool {
    let mut letters = symbol.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic())
        && (6..=7).contains(&letters.as_str().len())
        && letters.all(|letter| letter.is_ascii_digit())
}
