//! Tickers with their exchange in our own notation: `VWRL` in Amsterdam is `VWRL.AS`, and in the United States there is no
//! suffix.

use super::Words;

static MARKETS: Words = Words::new(include_str!("exchanges.txt"));

/// The suffix for a market identifier code (ISO 10383); empty for the United States. `None` if it is unknown.
pub fn suffix_of_mic(mic: &str) -> Option<&'static str> {
    suffix(&MARKETS, &mic.to_ascii_uppercase())
}

/// The suffix for an exchange as a broker calls it.
pub fn suffix(exchanges: &Words, code: &str) -> Option<&'static str> {
    exchanges.meaning(code).map(|suffix| suffix.trim_matches('-'))
}

/// The ticker in our own notation. Share classes are separated by a hyphen, numbers in Hong Kong have four digits.
pub fn listing(ticker: &str, suffix: &str) -> String {
    let ticker = ticker.trim().trim_end_matches('.').to_uppercase();
    let mut plain = ticker.replace([' ', '.', '/', '_'], "-");
    if suffix == ".HK" && plain.bytes().all(|byte| byte.is_ascii_digit()) {
        plain = format!("{plain:0>4}");
    }
    format!("{plain}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticker_and_its_exchange_make_a_symbol() {
        assert_eq!(listing("VWRL", suffix_of_mic("xams").unwrap()), "VWRL.AS");
        assert_eq!(listing("brk b", suffix_of_mic("XNYS").unwrap()), "BRK-B");
        assert_eq!(listing("BT.A", ".L"), "BT-A.L");
        assert_eq!(listing("BP.", ".L"), "BP.L");
        assert_eq!(listing("5", ".HK"), "0005.HK");
        assert_eq!(suffix_of_mic("XXXX"), None);
    }
}
