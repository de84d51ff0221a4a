//! Messages in place of data, with status 200.

use jiff::Timestamp;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::fault::{Denial, Detail, Fault, Offer};
use crate::figure::brief;
use crate::http_client::Response;
use crate::keyed::until_midnight;

#[derive(Deserialize)]
struct Notice {
    #[serde(rename = "Information")]
    information: Option<String>,
    #[serde(rename = "Note")]
    note: Option<String>,
    #[serde(rename = "Error Message")]
    error: Option<String>,
}

pub(super) fn data<T: DeserializeOwned>(response: &Response) -> Result<T, Fault> {
    let response = response.success()?;
    // An empty object means that it does not know the symbol.
    if response.bytes.iter().filter(|byte| !byte.is_ascii_whitespace()).eq(b"{}") {
        return Err(Fault::Unknown);
    }
    if let Ok(notice) = response.json::<Notice>()
        && let Some(text) = notice.error.or(notice.information).or(notice.note)
    {
        return Err(complaint(&text, Timestamp::now()));
    }
    response.json()
}

/// The messages about one limit also mention the others: the shortest one mentioned is the one that was reached.
pub fn complaint(text: &str, now: Timestamp) -> Fault {
    let lower = text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if says(&["per minute", "per second", "sparingly"]) {
        return Fault::Throttled(None);
    }
    if says(&["per day", "daily"]) {
        return Fault::Throttled(until_midnight(now));
    }
    if says(&["rate limit", "call frequency"]) {
        return Fault::Throttled(None);
    }
    if says(&["invalid api call"]) {
        return Fault::Unknown;
    }
    if says(&["apikey", "api key"]) {
        return Fault::Denied(Denial::Key { setting: "DRIPLINE_ALPHAVANTAGE_KEY".to_owned() });
    }
    if says(&["premium"]) {
        return Fault::Unsupported(Offer::Plan);
    }
    Fault::Malformed(Detail::Quoted(brief(text)))
}
