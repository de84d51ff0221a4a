//! Instruments as written in the column Details: `NKE/USD`, `VOD.L/GBX`, `BRK.B/USD`, `NVDA/USD 10:1`.

use ledger::Ratio;

use crate::Record;
use crate::reading::fields::short;
use crate::reading::{Words, suffix};

static EXCHANGES: Words = Words::new(include_str!("exchanges.txt"));

#[derive(Default, Clone)]
pub struct Instrument {
    pub ticker: Option<String>,
    pub suffix: Option<&'static str>,
    pub name: Option<String>,
    /// For a split.
    pub ratio: Option<Ratio>,
}

pub fn read(details: &str) -> Instrument {
    let (named, ratio) = match details.rsplit_once(' ') {
        Some((named, ratio)) if ratio.contains(':') => (named.trim(), Ratio::parse(ratio)),
        _ => (details.trim(), None),
    };
    let Some((ticker, currency)) = named.rsplit_once('/') else {
        let is_word = !named.is_empty() && named != "-" && !named.contains(char::is_whitespace);
        let ticker = is_word.then(|| named.to_uppercase());
        let name = short(named).filter(|_| !is_word && named != "-");
        return Instrument { ticker, name, ratio, ..Instrument::default() };
    };
    let (ticker, suffix) = listed(ticker.trim(), currency.trim());
    Instrument { ticker: Some(ticker), suffix, name: None, ratio }
}

/// After the point comes the exchange, a share class, or the instrument's trading hours.
fn listed(ticker: &str, currency: &str) -> (String, Option<&'static str>) {
    let upper = ticker.to_uppercase();
    if let Some((plain, exchange)) = upper.rsplit_once('.')
        && let Some(suffix) = suffix(&EXCHANGES, exchange)
    {
        return (plain.to_owned(), Some(suffix));
    }
    let american = currency.eq_ignore_ascii_case("USD").then_some("");
    (upper, american)
}

impl Instrument {
    pub fn put(self, record: &mut Record) {
        (record.ticker, record.suffix, record.name) = (self.ticker, self.suffix, self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_hold_ticker_exchange_and_ratio() {
        let read_as = |details: &str| {
            let read = read(details);
            let ratio = read.ratio.map(|ratio| ratio.to_string()).unwrap_or_default();
            format!("{:?} {:?} {ratio}", read.ticker.unwrap_or_default(), read.suffix)
        };
        assert_eq!(read_as("NKE/USD"), "\"NKE\" Some(\"\") ");
        assert_eq!(read_as("vod.l/GBX"), "\"VOD\" Some(\".L\") ");
        assert_eq!(read_as("KER/EUR"), "\"KER\" None ");
        assert_eq!(read_as("BRK.B/USD"), "\"BRK.B\" Some(\"\") ");
        assert_eq!(read_as("SPCX.24-7/USD"), "\"SPCX\" Some(\"\") ");
        assert_eq!(read_as("NVDA/USD 10:1"), "\"NVDA\" Some(\"\") 10:1");
        assert_eq!(read_as("-"), "\"\" None ");
    }
}
