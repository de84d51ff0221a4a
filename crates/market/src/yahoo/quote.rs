//! v7 quote: prices of up to a hundred symbols at once.

use jiff::Timestamp;
use ledger::{Decimal, QuoteUnit};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::answer;
use crate::fault::Fault;
use crate::figure;
use crate::http_client::Response;
use crate::provider::Quote;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    symbol: String,
    #[serde(default)]
    quote_type: Option<String>,
    #[serde(default)]
    currency: Option<String>,
    #[serde(default, deserialize_with = "answer::raw")]
    regular_market_price: Option<Decimal>,
    #[serde(default, deserialize_with = "answer::raw")]
    regular_market_time: Option<Decimal>,
}

/// The quotes that have a price. Delisted and renamed symbols are missing or have none.
pub fn parse(response: &Response) -> Result<Vec<Quote>, Fault> {
    let rows: Vec<Box<RawValue>> = answer::read(response)?;
    let mut quotes = Vec::new();
    let mut odd = None;
    for row in rows {
        // One odd row must not cost the other ninety-nine their price.
        match quote(row.get()) {
            Ok(quote) => quotes.extend(quote),
            Err(fault) => {
                tracing::warn!("yahoo {fault}");
                odd = Some(fault);
            }
        }
    }
    match odd {
        Some(fault) if quotes.is_empty() => Err(fault),
        _ => Ok(quotes),
    }
}

fn quote(row: &str) -> Result<Option<Quote>, Fault> {
    let row: Row = serde_json::from_str(row).map_err(|error| Fault::unparsable(error, row))?;
    let price = row.regular_market_price.filter(|price| *price > Decimal::ZERO);
    let (Some(price), false) = (price, row.quote_type.as_deref() == Some("NONE")) else { return Ok(None) };
    priced(row.symbol, price, row.currency.as_deref(), row.regular_market_time).map(Some)
}

/// A price in whole units; its quote unit must be known.
pub fn priced(symbol: String, price: Decimal, currency: Option<&str>, time: Option<Decimal>) -> Result<Quote, Fault> {
    let unit = unit(&symbol, currency)?;
    let as_of = time.and_then(|time| i64::try_from(time.trunc()).ok()).and_then(|second| Timestamp::from_second(second).ok());
    let as_of = as_of.unwrap_or_else(Timestamp::now);
    Ok(Quote { symbol, price: unit.normalise(without_noise(price)), unit, as_of })
}

pub fn unit(symbol: &str, currency: Option<&str>) -> Result<QuoteUnit, Fault> {
    let currency = currency.ok_or_else(|| Fault::missing("currency", symbol))?;
    QuoteUnit::parse(currency).map_err(|_| Fault::invalid("currency", currency, symbol))
}

/// 3563.2002 was 3563.2 before it was converted to a 32-bit float. With at most two decimals a price is exact, however large it
/// is.
fn without_noise(price: Decimal) -> Decimal {
    match price.scale() {
        0..=2 => price,
        _ => figure::from_single(price).unwrap_or(price),
    }
}
