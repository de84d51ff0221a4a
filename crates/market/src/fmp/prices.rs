//! Quotes and closes, in the unit stated by the profile.

use jiff::Timestamp;
use jiff::civil::Date;
use ledger::{Decimal, QuoteUnit};
use serde::Deserialize;

use super::notice::{first, rows};
use crate::fault::Fault;
use crate::http_client::Response;
use crate::provider::Quote;
use crate::{blank, figure};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct QuoteRow {
    #[serde(default, deserialize_with = "figure::optional")]
    price: Option<Decimal>,
    #[serde(default, deserialize_with = "figure::optional")]
    price_avg50: Option<Decimal>,
    #[serde(default, deserialize_with = "figure::optional")]
    price_avg200: Option<Decimal>,
    timestamp: Option<i64>,
}

#[derive(Deserialize)]
struct CloseRow {
    #[serde(default, deserialize_with = "blank::day")]
    date: Option<Date>,
    #[serde(default, deserialize_with = "figure::optional")]
    price: Option<Decimal>,
}

pub fn read_quote(response: &Response, symbol: &str, unit: QuoteUnit, now: Timestamp) -> Result<Quote, Fault> {
    let row: QuoteRow = first(response)?;
    // A listing that is not traded has no price.
    let price = row.price.and_then(positive).ok_or(Fault::Unknown)?;
    let as_of = match row.timestamp {
        None => now,
        Some(seconds) => Timestamp::from_second(seconds).map_err(|_| Fault::invalid("timestamp", seconds, symbol))?,
    };
    Ok(Quote { symbol: symbol.to_owned(), price: unit.normalise(price), unit, as_of })
}

/// The average prices over 50 and 200 days.
pub fn read_averages(response: &Response, unit: QuoteUnit) -> Result<(Option<Decimal>, Option<Decimal>), Fault> {
    let row: QuoteRow = first(response)?;
    let average = |figure: Option<Decimal>| figure.and_then(positive).map(|figure| unit.normalise(figure));
    Ok((average(row.price_avg50), average(row.price_avg200)))
}

/// Oldest first. They are adjusted for splits; unadjusted ones are at another address.
pub fn read_closes(response: &Response, unit: QuoteUnit) -> Result<Vec<(Date, Decimal)>, Fault> {
    let mut closes = Vec::new();
    for row in rows::<CloseRow>(response)? {
        let date = row.date.ok_or_else(|| Fault::missing("prices.date", ""))?;
        let price = row.price.ok_or_else(|| Fault::missing("price", date))?;
        if price < Decimal::ZERO {
            return Err(Fault::invalid("price", price, date));
        }
        // No trades.
        if !price.is_zero() {
            closes.push((date, unit.normalise(price)));
        }
    }
    closes.sort_unstable_by_key(|(date, _)| *date);
    Ok(closes)
}

fn positive(figure: Decimal) -> Option<Decimal> {
    (figure > Decimal::ZERO).then_some(figure)
}
