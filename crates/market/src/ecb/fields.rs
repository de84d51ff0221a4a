//! Dates, currencies and rates as the ECB writes them, and checks of a whole file.

use jiff::civil::Date;
use ledger::{Currency, Decimal};

use crate::fault::{Detail, Fault};
use crate::figure;
use crate::provider::Rate;

/// `2026-09-14`, or in the daily CSV file `14 September 2026`.
pub fn day(text: &str) -> Result<Date, Fault> {
    let iso = if text.len() == 10 { text.parse::<Date>().ok() } else { None };
    iso.or_else(|| Date::strptime("%d %B %Y", text).ok()).ok_or_else(|| Fault::invalid("date", text, ""))
}

/// `None` for a code we do not support, and for the euro, which has no rate to itself. Case matters: `GBp` is not `GBP`.
pub fn currency(code: &str) -> Option<Currency> {
    Currency::parse(code).ok().filter(|currency| *currency != Currency::EUR)
}

/// `None` if the ECB has no rate for that day. Every digit is kept.
pub fn rate(text: &str) -> Result<Option<Decimal>, Fault> {
    if text == "N/A" {
        return Ok(None);
    }
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let rate = figure::parse(text).filter(|rate| plain && *rate > Decimal::ZERO);
    rate.map(Some).ok_or_else(|| Fault::invalid("rate", text, ""))
}

/// Oldest first, at least one, and no currency twice on a day.
pub fn validated(mut rates: Vec<Rate>) -> Result<Vec<Rate>, Fault> {
    rates.sort_by_key(|rate| (rate.date, rate.currency));
    if rates.is_empty() {
        return Err(Fault::Malformed(Detail::NoRates));
    }
    match rates.windows(2).find(|pair| (pair[0].date, pair[0].currency) == (pair[1].date, pair[1].currency)) {
        Some(pair) => {
            let (currency, date) = (pair[0].currency.to_string(), pair[0].date.to_string());
            Err(Fault::Malformed(Detail::RateTwice { currency, date }))
        }
        None => Ok(rates),
    }
}
