//! Symbols in the notation of other providers: the same ticker with another exchange suffix.

use crate::fault::{Fault, Offer};

pub(crate) struct Suffixes {
    /// Their suffix for the United States, where ours is empty.
    us: &'static str,
    /// Our suffix and theirs. If several of ours map to one of theirs, theirs maps back to the first.
    pairs: &'static [(&'static str, &'static str)],
}

pub(crate) const ALPHA_VANTAGE: Suffixes = Suffixes {
    us: "",
    pairs: &[
        ("L", "LON"),
        ("TO", "TRT"),
        ("DE", "DEX"),
        ("F", "FRK"),
        ("BO", "BSE"),
        // It does not have the National Stock Exchange of India: the same companies trade in Bombay in the same currency.
        ("NS", "BSE"),
        ("SZ", "SHZ"),
        ("SS", "SHH"),
        ("SA", "SAO"),
    ],
};

/// Only the exchanges it lists: it has none for Milan, Tokyo, Hong Kong, Singapore and India.
pub(crate) const EODHD: Suffixes = Suffixes {
    us: "US",
    pairs: &[
        ("TO", "TO"),
        ("V", "V"),
        ("NE", "NEO"),
        ("MX", "MX"),
        ("L", "LSE"),
        ("DE", "XETRA"),
        ("F", "F"),
        ("BE", "BE"),
        ("HM", "HM"),
        ("DU", "DU"),
        ("MU", "MU"),
        ("SG", "STU"),
        ("HA", "HA"),
        ("PA", "PA"),
        ("AS", "AS"),
        ("BR", "BR"),
        ("LS", "LS"),
        ("MC", "MC"),
        ("SW", "SW"),
        ("VI", "VI"),
        ("ST", "ST"),
        ("OL", "OL"),
        ("HE", "HE"),
        ("CO", "CO"),
        ("IC", "IC"),
        ("IR", "IR"),
        ("WA", "WAR"),
        ("PR", "PR"),
        ("BD", "BUD"),
        ("AT", "AT"),
        ("SS", "SHG"),
        ("SZ", "SHE"),
        ("KS", "KO"),
        ("KQ", "KQ"),
        ("TW", "TW"),
        ("TWO", "TWO"),
        ("KL", "KLSE"),
        ("BK", "BK"),
        ("JK", "JK"),
        ("AX", "AU"),
        ("TA", "TA"),
        ("JO", "JSE"),
        ("SA", "SA"),
        ("BA", "BA"),
        ("SN", "SN"),
    ],
};

impl Suffixes {
    /// Our symbol in their notation, if they have that exchange.
    pub fn theirs(&self, symbol: &str) -> Result<String, Fault> {
        let (code, suffix) = match symbol.rsplit_once('.') {
            // Every provider writes indices and currency pairs differently.
            _ if symbol.contains(['^', '=']) => (symbol, None),
            None => (symbol, Some(self.us)),
            Some((code, suffix)) => (code, self.pairs.iter().find(|(ours, _)| *ours == suffix).map(|(_, theirs)| *theirs)),
        };
        let suffix = suffix.ok_or_else(|| Fault::Unsupported(Offer::Exchange { symbol: symbol.to_owned() }))?;
        Ok(joined(code, suffix))
    }

    /// Their symbol in our notation; `None` if we do not have that exchange.
    pub fn ours(&self, symbol: &str) -> Option<String> {
        let (code, suffix) = symbol.rsplit_once('.').unwrap_or((symbol, ""));
        if suffix == self.us {
            return Some(code.to_owned());
        }
        let (ours, _) = self.pairs.iter().find(|(_, theirs)| *theirs == suffix)?;
        Some(joined(code, ours))
    }
}

fn joined(code: &str, suffix: &str) -> String {
    if suffix.is_empty() { code.to_owned() } else { format!("{code}.{suffix}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back(suffixes: &Suffixes, ours: &str, theirs: &str) {
        assert_eq!(suffixes.theirs(ours).as_deref(), Ok(theirs));
        assert_eq!(suffixes.ours(theirs).as_deref(), Some(ours));
    }

    #[test]
    fn alpha_vantage_writes_the_united_states_without_a_suffix() {
        there_and_back(&ALPHA_VANTAGE, "BRK-B", "BRK-B");
        there_and_back(&ALPHA_VANTAGE, "DGE.L", "DGE.LON");
        there_and_back(&ALPHA_VANTAGE, "SHOP.TO", "SHOP.TRT");
        there_and_back(&ALPHA_VANTAGE, "TCS.BO", "TCS.BSE");
        assert_eq!(ALPHA_VANTAGE.theirs("TCS.NS").as_deref(), Ok("TCS.BSE"));
        for foreign in ["ENI.MI", "7203.T", "^GSPC", "EURUSD=X"] {
            assert_eq!(ALPHA_VANTAGE.theirs(foreign).ok(), None, "{foreign}");
        }
        assert_eq!(ALPHA_VANTAGE.ours("ABC.XYZ"), None);
    }

    #[test]
    fn eodhd_writes_a_suffix_for_the_united_states_too() {
        there_and_back(&EODHD, "BRK-B", "BRK-B.US");
        there_and_back(&EODHD, "DGE.L", "DGE.LSE");
        there_and_back(&EODHD, "BAS.DE", "BAS.XETRA");
        there_and_back(&EODHD, "BHP.AX", "BHP.AU");
        there_and_back(&EODHD, "NPN.JO", "NPN.JSE");
        for foreign in ["ENI.MI", "7203.T", "0005.HK", "TCS.NS"] {
            assert_eq!(EODHD.theirs(foreign).ok(), None, "{foreign}");
        }
        assert_eq!(EODHD.ours("EURUSD.FOREX"), None);
    }

    #[test]
    fn every_suffix_converts_to_the_provider_and_back() {
        for suffixes in [ALPHA_VANTAGE, EODHD] {
            for (ours, theirs) in suffixes.pairs.iter().filter(|(ours, _)| *ours != "NS") {
                there_and_back(&suffixes, &format!("X.{ours}"), &format!("X.{theirs}"));
            }
        }
    }
}
