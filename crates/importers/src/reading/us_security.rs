//! Securities in the rows of a broker in the United States: by ticker, or by CUSIP if there is none.

use ledger::Currency;

use super::fields;
use crate::Record;

/// Adds what identifies the security to the record. Tickers of these brokers are those of the United States.
pub fn identify(record: &mut Record, symbol: Option<&str>, name: &str) {
    match symbol {
        // A CUSIP with a wrong check digit finds nothing; the name does.
        Some(symbol) if is_number(symbol) && (cusip(symbol).is_some() || fields::short(name).is_some()) => {
            record.cusip = cusip(symbol)
        }
        Some(symbol) => {
            record.ticker = ticker(symbol);
            record.suffix = Some("");
        }
        None => {}
    }
    record.name = fields::short(name);
    record.currency = dollars();
}

/// In capitals, with the share class separated if a broker runs the two together.
pub fn ticker(symbol: &str) -> Option<String> {
    let symbol = fields::short(symbol)?.to_uppercase();
    let apart = match symbol.as_str() {
        "BRKA" => "BRK/A",
        "BRKB" => "BRK/B",
        "BFA" => "BF/A",
        "BFB" => "BF/B",
        _ => return Some(symbol),
    };
    Some(apart.to_owned())
}

pub fn dollars() -> Option<Currency> {
    Currency::parse("USD").ok()
}

/// Identifies a security within the file.
pub fn key(record: &Record) -> String {
    let first = [&record.ticker, &record.cusip, &record.isin, &record.name].into_iter().flatten().next();
    first.cloned().unwrap_or_default()
}

/// Has the form of a CUSIP, which no ticker has.
pub fn is_number(symbol: &str) -> bool {
    let digits = symbol.bytes().filter(u8::is_ascii_digit).count();
    symbol.len() == 9 && digits >= 4 && symbol.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Nine letters and digits, the last of which is the check digit of the others.
pub fn cusip(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_uppercase();
    let values: Vec<u32> = text.chars().filter(char::is_ascii_alphanumeric).filter_map(|letter| letter.to_digit(36)).collect();
    if text.len() != 9 || values.len() != 9 || !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let doubled = values.iter().take(8).enumerate().map(|(at, value)| if at % 2 == 1 { value * 2 } else { *value });
    let sum: u32 = doubled.map(|value| value / 10 + value % 10).sum();
    ((10 - sum % 10) % 10 == values[8]).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_digit_of_a_cusip_is_verified() {
        for good in ["037833100", "17275r102", "G7945E105", "594918104", "38259P508"] {
            assert!(cusip(good).is_some(), "{good}");
        }
        for bad in ["037833101", "03783310", "VGI007743", "AAPL", "", "03783310É", "GOOGLLLLL"] {
            assert_eq!(cusip(bad), None, "{bad}");
        }
    }
}
