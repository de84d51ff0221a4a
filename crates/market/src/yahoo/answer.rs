//! The envelope of all Yahoo answers: a list, or an error with a code.

use ledger::Decimal;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::fault::{Denial, Detail, Fault};
use crate::figure::{self, brief};
use crate::http_client::Response;

#[derive(Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct Answer<T> {
    #[serde(alias = "chart", alias = "quoteResponse", alias = "quoteSummary", alias = "timeseries", alias = "finance")]
    envelope: Envelope<T>,
}

#[derive(Deserialize)]
#[serde(bound = "T: DeserializeOwned")]
struct Envelope<T> {
    result: Option<Vec<T>>,
    error: Option<Trouble>,
}

#[derive(Deserialize)]
struct Trouble {
    code: String,
    #[serde(default)]
    description: Option<String>,
}

/// The list inside, or Yahoo's error.
pub fn read<T: DeserializeOwned>(response: &Response) -> Result<Vec<T>, Fault> {
    if response.bytes.starts_with(b"Too Many Requests") {
        return Err(Fault::Throttled(None));
    }
    let answer = match response.json::<Answer<T>>() {
        Ok(answer) => answer.envelope,
        Err(malformed) => return Err(without_envelope(response).unwrap_or(malformed)),
    };
    if let Some(trouble) = answer.error {
        return Err(trouble.fault(response));
    }
    answer.result.ok_or_else(|| Fault::missing("result", ""))
}

/// A status without Yahoo's own message. "Not found" only counts if Yahoo says so: an address that has moved must not make every
/// symbol unknown.
fn without_envelope(response: &Response) -> Option<Fault> {
    match response.success() {
        Ok(_) => None,
        Err(Fault::Unknown) => Some(Fault::Status(404)),
        Err(fault) => Some(fault),
    }
}

impl Trouble {
    fn fault(&self, response: &Response) -> Fault {
        let text = brief(self.description.as_deref().unwrap_or(&self.code));
        match self.code.as_str() {
            "Not Found" => Fault::Unknown,
            "Unauthorized" | "Forbidden" => Fault::Denied(Denial::Quoted(text)),
            code => {
                without_envelope(response).unwrap_or_else(|| Fault::Malformed(Detail::Quoted(format!("{}: {text}", brief(code)))))
            }
        }
    }
}

/// A number by itself or in `{"raw": …, "fmt": …}`; an empty `{}` is `None`.
pub fn raw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Decimal>, D::Error> {
    #[derive(Deserialize)]
    struct Wrapped {
        #[serde(default, deserialize_with = "figure::optional")]
        raw: Option<Decimal>,
    }
    let Some(value) = Option::<Box<RawValue>>::deserialize(deserializer)? else { return Ok(None) };
    match value.get().starts_with('{') {
        true => serde_json::from_str::<Wrapped>(value.get()).map(|wrapped| wrapped.raw).map_err(D::Error::custom),
        false => figure::optional(&mut serde_json::Deserializer::from_str(value.get())).map_err(D::Error::custom),
    }
}

/// A name without Yahoo's padding; `None` if nothing is left.
pub fn squeeze(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}
