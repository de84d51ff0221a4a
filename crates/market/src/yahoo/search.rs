//! v1 search: by name, symbol or ISIN. An empty list is a valid answer: Yahoo does not know every ISIN of its stocks.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::answer::squeeze;
use crate::fault::Fault;
use crate::http_client::Response;
use crate::provider::Match;

#[derive(Deserialize)]
struct Hits {
    quotes: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    symbol: String,
    quote_type: String,
    is_yahoo_finance: bool,
    #[serde(default)]
    exchange: Option<String>,
    #[serde(default)]
    exch_disp: Option<String>,
    #[serde(default)]
    longname: Option<String>,
    #[serde(default)]
    shortname: Option<String>,
}

pub fn parse(response: &Response) -> Result<Vec<Match>, Fault> {
    if response.bytes.starts_with(b"Too Many Requests") {
        return Err(Fault::Throttled(None));
    }
    let hits: Hits = response.success()?.json()?;
    // Private companies are listed without a symbol; such rows are normal.
    let rows = hits.quotes.iter().filter_map(|row| serde_json::from_str::<Row>(row.get()).ok());
    Ok(rows.filter(Row::can_be_held).map(Row::into_match).collect())
}

impl Row {
    fn can_be_held(&self) -> bool {
        self.is_yahoo_finance && matches!(self.quote_type.as_str(), "EQUITY" | "ETF" | "MUTUALFUND")
    }

    fn into_match(self) -> Match {
        let name = |text: &Option<String>| text.as_deref().and_then(squeeze);
        Match {
            name: name(&self.longname).or_else(|| name(&self.shortname)),
            exchange: self.exch_disp.or(self.exchange),
            symbol: self.symbol,
            kind: Some(self.quote_type),
            isin: None,
            unit: None,
        }
    }
}
