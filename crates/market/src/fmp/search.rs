//! Search by symbol, by name, and by ISIN.

use serde::Deserialize;

use super::notice::rows;
use crate::blank;
use crate::fault::Fault;
use crate::http_client::Response;
use crate::provider::Match;

#[derive(Deserialize)]
struct Row {
    symbol: String,
    #[serde(default, deserialize_with = "blank::text")]
    name: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    exchange: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    currency: Option<String>,
    #[serde(default, deserialize_with = "blank::text")]
    isin: Option<String>,
}

pub fn read(response: &Response) -> Result<Vec<Match>, Fault> {
    let found = |row: Row| Match {
        symbol: row.symbol,
        name: row.name,
        exchange: row.exchange,
        kind: None,
        isin: row.isin,
        unit: row.currency,
    };
    Ok(rows(response)?.into_iter().map(found).collect())
}

/// The better search first, without duplicate symbols. If one of them fails, the other still counts.
pub fn merge(first: Result<Vec<Match>, Fault>, second: Result<Vec<Match>, Fault>) -> Result<Vec<Match>, Fault> {
    let (mut found, more) = match (first, second) {
        (Err(fault), Err(_)) => return Err(fault),
        (first, second) => (first.unwrap_or_default(), second.unwrap_or_default()),
    };
    for one in more {
        if found.iter().all(|known| known.symbol != one.symbol) {
            found.push(one);
        }
    }
    Ok(found)
}

/// Two letters, nine letters or digits, a digit.
pub fn is_isin(text: &str) -> bool {
    let bytes = text.trim().as_bytes();
    bytes.len() == 12
        && bytes[..2].iter().all(u8::is_ascii_alphabetic)
        && bytes[2..11].iter().all(u8::is_ascii_alphanumeric)
        && bytes[11].is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_isin_is_distinguished_from_a_name() {
        assert!(is_isin("US0378331005") && is_isin(" gb00b10rzp78 "));
        for other in ["AAPL", "ABERCROMBIE1X", "ABERCROMBIES", "US037833100", "1S0378331005"] {
            assert!(!is_isin(other), "{other}");
        }
    }
}
