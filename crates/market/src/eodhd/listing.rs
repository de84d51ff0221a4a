//! The search result for a listing, and its quote.

use jiff::Timestamp;
use ledger::withholding::country_code;
use ledger::{Decimal, QuoteUnit};
use rust_decimal::prelude::ToPrimitive;
use serde::Deserialize;

use super::notice::data;
use crate::fault::Fault;
use crate::http_client::Response;
use crate::provider::{Match, Profile, Quote};
use crate::suffix;
use crate::{blank, figure};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Listing {
    pub code: String,
    pub exchange: String,
    #[serde(default, deserialize_with = "blank::text")]
    name: Option<String>,
    #[serde(default, rename = "Type", deserialize_with = "blank::text")]
    kind: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    currency: Option<String>,
    #[serde(default, rename = "ISIN", deserialize_with = "blank::text")]
    isin: Option<String>,
}

pub fn read(response: &Response) -> Result<Vec<Listing>, Fault> {
    data(response)
}

/// Exchanges that trade in hundredths but are listed with the whole currency. It is not documented whether their prices are in
/// pence or pounds, and a price that may be wrong by a factor of 100 is not used.
const UNCLEAR: &[(&str, &str)] = &[("LSE", "GBP"), ("JSE", "ZAR"), ("TA", "ILS")];

impl Listing {
    /// The unit of its prices, if it is clear.
    pub fn unit(&self) -> Option<QuoteUnit> {
        let currency = self.currency.as_deref()?;
        let is_clear = !UNCLEAR.contains(&(self.exchange.as_str(), currency));
        QuoteUnit::parse(currency).ok().filter(|_| is_clear)
    }

    /// Its country is that of the exchange, such as Germany for an American company; the ISIN is more reliable.
    pub fn profile(self) -> Profile {
        let kind = self.kind.as_deref().map(kind);
        Profile {
            unit: self.unit(),
            country: self.isin.as_deref().and_then(|isin| country_code(isin.get(..2)?)).map(str::to_owned),
            name: self.name,
            exchange: Some(self.exchange),
            instrument_type: kind.as_deref().map(str::to_lowercase),
            kind,
            isin: self.isin,
            ..Profile::default()
        }
    }

    /// `None` on an exchange that we do not support.
    pub fn into_match(self) -> Option<Match> {
        Some(Match {
            symbol: suffix::EODHD.ours(&format!("{}.{}", self.code, self.exchange))?,
            name: self.name,
            exchange: Some(self.exchange),
            kind: self.kind.as_deref().map(kind),
            isin: self.isin,
            unit: self.currency,
        })
    }
}

fn kind(text: &str) -> String {
    match text.to_uppercase().as_str() {
        "COMMON STOCK" | "PREFERRED STOCK" => "EQUITY".to_owned(),
        "FUND" | "MUTUAL FUND" => "MUTUALFUND".to_owned(),
        other => other.replace(' ', ""),
    }
}

/// Every number may be `NA`. `close` is the current price.
#[derive(Deserialize)]
struct QuoteRow {
    #[serde(rename = "code")]
    _code: String,
    #[serde(default, deserialize_with = "figure::optional")]
    close: Option<Decimal>,
    #[serde(default, deserialize_with = "figure::optional")]
    timestamp: Option<Decimal>,
}

pub fn read_quote(response: &Response, symbol: &str, unit: QuoteUnit, now: Timestamp) -> Result<Quote, Fault> {
    let row: QuoteRow = data(response)?;
    let price = row.close.filter(|price| *price > Decimal::ZERO).ok_or(Fault::Unknown)?;
    let as_of = match row.timestamp {
        None => now,
        Some(time) => time
            .to_i64()
            .and_then(|seconds| Timestamp::from_second(seconds).ok())
            .ok_or_else(|| Fault::invalid("timestamp", time, symbol))?,
    };
    Ok(Quote { symbol: symbol.to_owned(), price: unit.normalise(price), unit, as_of })
}
