//! Quotes, and the search that states their unit.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use ledger::{Decimal, QuoteUnit};
use serde::Deserialize;

use super::notice::data;
use crate::fault::Fault;
use crate::http_client::Response;
use crate::provider::{Match, Profile, Quote};
use crate::suffix::ALPHA_VANTAGE;
use crate::{blank, figure};

#[derive(Deserialize)]
struct QuoteAnswer {
    #[serde(rename = "Global Quote")]
    quote: QuoteRow,
}

#[derive(Deserialize)]
struct QuoteRow {
    #[serde(default, rename = "05. price", deserialize_with = "figure::optional")]
    price: Option<Decimal>,
    #[serde(default, rename = "07. latest trading day", deserialize_with = "blank::day")]
    day: Option<Date>,
}

/// For an unknown symbol it returns an empty quote.
pub fn read_quote(response: &Response, symbol: &str, unit: QuoteUnit, now: Timestamp) -> Result<Quote, Fault> {
    let QuoteAnswer { quote } = data(response)?;
    let price = quote.price.filter(|price| *price > Decimal::ZERO).ok_or(Fault::Unknown)?;
    let as_of = quote.day.and_then(end_of).map_or(now, |end| end.min(now));
    Ok(Quote { symbol: symbol.to_owned(), price: unit.normalise(price), unit, as_of })
}

/// Only the day is given; trading is over by its end.
fn end_of(day: Date) -> Option<Timestamp> {
    Some(day.tomorrow().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

#[derive(Deserialize)]
struct SearchAnswer {
    #[serde(rename = "bestMatches")]
    matches: Vec<SearchRow>,
}

#[derive(Deserialize)]
struct SearchRow {
    #[serde(rename = "1. symbol")]
    symbol: String,
    #[serde(default, rename = "2. name", deserialize_with = "blank::text")]
    name: Option<String>,
    #[serde(default, rename = "3. type", deserialize_with = "blank::text")]
    kind: Option<String>,
    #[serde(default, rename = "4. region", deserialize_with = "blank::text")]
    region: Option<String>,
    #[serde(default, rename = "8. currency", deserialize_with = "blank::text")]
    currency: Option<String>,
}

/// Results on exchanges that we support.
pub fn read_search(response: &Response) -> Result<Vec<Match>, Fault> {
    let found = |row: SearchRow| {
        Some(Match {
            symbol: ALPHA_VANTAGE.ours(&row.symbol)?,
            name: row.name,
            exchange: row.region,
            kind: row.kind.as_deref().map(kind),
            isin: None,
            unit: row.currency,
        })
    };
    Ok(data::<SearchAnswer>(response)?.matches.into_iter().filter_map(found).collect())
}

/// The search result for exactly this symbol: little data, but all there is for funds.
pub fn read_listed(response: &Response, theirs: &str) -> Result<Profile, Fault> {
    let SearchAnswer { matches } = data(response)?;
    let row = matches.into_iter().find(|row| row.symbol == theirs).ok_or(Fault::Unknown)?;
    let kind = row.kind.as_deref().map(kind);
    Ok(Profile {
        unit: row.currency.and_then(|currency| QuoteUnit::parse(&currency).ok()),
        name: row.name,
        instrument_type: kind.as_deref().map(str::to_lowercase),
        kind,
        ..Profile::default()
    })
}

/// `Mutual Fund` is `MUTUALFUND` elsewhere.
fn kind(text: &str) -> String {
    text.to_uppercase().replace(' ', "")
}
