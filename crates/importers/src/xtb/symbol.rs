//! XTB's symbols: a ticker and its country, such as `SPYL.DE`; everything else is a CFD.

use ledger::Currency;

use crate::reading::{Words, suffix};

static EXCHANGES: Words = Words::new(include_str!("exchanges.txt"));
static CURRENCIES: Words = Words::new(include_str!("currencies.txt"));

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    pub ticker: String,
    pub suffix: Option<&'static str>,
    /// The trading currency there; `None` if several are usual.
    pub currency: Option<Currency>,
}

/// `None` for a CFD.
pub fn listed(symbol: &str) -> Option<Listed> {
    // In older exports a 9 marks real shares, and other numbers mark CFDs on them.
    let plain = match symbol.rsplit_once('_') {
        Some((plain, "9")) => plain,
        Some(_) => return None,
        None => symbol,
    };
    let (ticker, country) = plain.rsplit_once('.')?;
    let country = country.to_uppercase();
    if ticker.is_empty() || country.len() != 2 || ticker.chars().any(char::is_whitespace) {
        return None;
    }
    let suffix = suffix(&EXCHANGES, &country);
    let currency = CURRENCIES.meaning(&country).and_then(|code| Currency::parse(code).ok());
    let ticker = if suffix.is_some() { ticker } else { plain };
    Some(Listed { ticker: ticker.to_uppercase(), suffix, currency })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_a_country_suffix_and_a_cfd_has_none() {
        let read = |symbol: &str| {
            listed(symbol).map(|listed| {
                let currency = listed.currency.map_or("-".to_owned(), |currency| currency.to_string());
                format!("{} {:?} {currency}", listed.ticker, listed.suffix)
            })
        };
        assert_eq!(read("FB.US").as_deref(), Some("FB Some(\"\") USD"));
        assert_eq!(read("CSPX.UK").as_deref(), Some("CSPX Some(\".L\") -"));
        assert_eq!(read("MC.FR_9").as_deref(), Some("MC Some(\".PA\") EUR"));
        assert_eq!(read("BRK.B.US").as_deref(), Some("BRK.B Some(\"\") USD"));
        assert_eq!(read("ABC.XX").as_deref(), Some("ABC.XX None -"));
        for cfd in ["US30.cash", "US30", "GOLD", "EURUSD", "AAPL.US_4", ""] {
            assert_eq!(read(cfd), None, "{cfd}");
        }
    }
}
