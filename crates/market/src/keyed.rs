//! Providers that require a key with every request, and whose prices do not state their unit. No message ever shows the key.

use std::time::Duration;

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use ledger::QuoteUnit;
use quick_cache::sync::Cache;

use crate::fault::{Denial, Detail, Fault, Offer};
use crate::http_client::{HttpClient, Request, Response, Urgency};

pub(crate) struct Keyed {
    pub http_client: HttpClient,
    /// The query parameter that carries the key.
    parameter: &'static str,
    key: String,
    /// The quote unit of each symbol, by the provider's symbol.
    units: Cache<String, QuoteUnit>,
}

const UNITS_MAX: usize = 10_000;

impl Keyed {
    pub fn new(http_client: HttpClient, parameter: &'static str, key: String) -> Keyed {
        Keyed { http_client, parameter, key, units: Cache::new(UNITS_MAX) }
    }

    pub fn known_unit(&self, symbol: &str) -> Option<QuoteUnit> {
        self.units.get(symbol)
    }

    pub fn remember_unit(&self, symbol: &str, unit: QuoteUnit) {
        self.units.insert(symbol.to_owned(), unit);
    }

    /// The unit that is known or else found. Fails if there is none, because the price could be wrong by a factor of 100.
    pub async fn unit(
        &self,
        symbol: &str,
        find: impl Future<Output = Result<Option<QuoteUnit>, Fault>>,
    ) -> Result<QuoteUnit, Fault> {
        if let Some(unit) = self.known_unit(symbol) {
            return Ok(unit);
        }
        let unit = find.await?.ok_or_else(|| Fault::Unsupported(Offer::Currency { symbol: symbol.to_owned() }))?;
        self.remember_unit(symbol, unit);
        Ok(unit)
    }

    pub async fn ask<T>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        urgency: Urgency,
        read: impl Fn(&Response) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut query = query.to_vec();
        query.push((self.parameter, &self.key));
        let request = Request::get(self.http_client.url(path, &query), urgency);
        self.http_client.ask(request, |response| read(response).map_err(|fault| redact_key(fault, response, &self.key))).await
    }
}

/// Some providers repeat the key in their error messages, and a message that quotes the beginning of an answer may cut the key in
/// two. If the answer contains the key, nothing of it is quoted.
fn redact_key(fault: Fault, response: &Response, key: &str) -> Fault {
    let repeats = !key.is_empty() && String::from_utf8_lossy(&response.bytes).contains(key);
    match fault {
        Fault::Malformed(_) if repeats => Fault::Malformed(Detail::RepeatsKey),
        Fault::Denied(_) if repeats => Fault::Denied(Denial::RepeatsKey),
        other => other,
    }
}

/// For optional parts of an answer: not every plan or symbol has them.
pub(crate) fn if_offered<T>(result: Result<T, Fault>) -> Result<Option<T>, Fault> {
    match result {
        Ok(answer) => Ok(Some(answer)),
        Err(Fault::Unknown | Fault::Unsupported(_)) => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// Daily quotas start again at midnight UTC.
pub(crate) fn until_midnight(now: Timestamp) -> Option<Duration> {
    let midnight = now.to_zoned(TimeZone::UTC).start_of_day().ok()?.checked_add(1.day()).ok()?;
    Duration::try_from(midnight.timestamp().duration_since(now)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::StatusCode;
    use reqwest::header::HeaderMap;

    fn response(text: &str) -> Response {
        Response { status: StatusCode::OK, headers: HeaderMap::new(), bytes: text.to_owned().into() }
    }

    #[test]
    fn a_message_never_quotes_the_key() {
        let answer = response("Your key is S3CRET-KEY.");
        for fault in [Fault::unparsable("not JSON", "Your key is S3CR"), Fault::Denied(Denial::Quoted("S3CRET-KEY".to_owned()))] {
            assert!(!redact_key(fault, &answer, "S3CRET-KEY").to_string().contains("S3CR"));
        }
        let other = Fault::missing("close", "");
        assert_eq!(redact_key(other.clone(), &response("[]"), "S3CRET-KEY"), other);
        assert_eq!(redact_key(other.clone(), &response("[]"), ""), other);
    }

    #[test]
    fn a_daily_limit_ends_at_midnight_utc() {
        // From 22:30 to 24:00 are 90 minutes; at the start of a day, all of it is left.
        assert_eq!(until_midnight("2026-03-01T22:30:00Z".parse().unwrap()), Some(Duration::from_secs(90 * 60)));
        assert_eq!(until_midnight("2026-03-01T00:00:00Z".parse().unwrap()), Some(Duration::from_secs(24 * 3600)));
    }
}
