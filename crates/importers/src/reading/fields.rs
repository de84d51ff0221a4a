//! Strict parsers of single fields; each error says what was found and what is accepted.

use jiff::civil::Date;
use ledger::{Currency, Decimal, QuoteUnit};

use crate::Reason;
use crate::reason::Cell;

/// Numbers from one trillion on are typing errors, and products of two smaller ones always fit a decimal.
pub const DIGITS_MAX: usize = 12;
pub const DECIMALS_MAX: u32 = 18;

/// Digits with an optional sign and point: no exponent, no thousands separator, no comma.
pub fn decimal(column: &str, text: &str) -> Result<Decimal, Reason> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) {
        return Err(Reason::NotAPlainNumber(Cell::new(column, text)));
    }
    if fraction.len() > DECIMALS_MAX as usize {
        return Err(Reason::TooManyDecimals { column: column.into(), max: DECIMALS_MAX });
    }
    if whole.trim_start_matches('0').len() > DIGITS_MAX {
        return Err(Reason::NumberTooLarge(Cell::new(column, text)));
    }
    Decimal::from_str_exact(text).map_err(|_| Reason::TooManyDigits(Cell::new(column, text)))
}

/// Exactly `YYYY-MM-DD`, and a real day.
pub fn date(column: &str, text: &str) -> Result<Date, Reason> {
    let shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() });
    let day = if shaped { text.parse::<Date>().ok() } else { None };
    day.filter(|day| (1900..=2200).contains(&day.year())).ok_or_else(|| Reason::NotAnIsoDate(Cell::new(column, text)))
}

pub fn currency(column: &str, code: &str) -> Result<Currency, Reason> {
    Currency::parse(code).map_err(|unknown| Reason::unknown_currency(column, unknown))
}

/// A currency, or a part of one in which prices are quoted, such as pence.
pub fn unit(column: &str, code: &str) -> Result<QuoteUnit, Reason> {
    QuoteUnit::parse(code).map_err(|unknown| Reason::unknown_currency(column, unknown))
}

/// Text without control characters, no longer than `chars_max`.
pub fn text(column: &str, text: &str, chars_max: usize) -> Result<String, Reason> {
    if text.chars().any(char::is_control) {
        return Err(Reason::ControlCharacter { column: column.into() });
    }
    if text.chars().count() > chars_max {
        return Err(Reason::TooLong { column: column.into(), max: chars_max });
    }
    Ok(text.to_owned())
}

/// A name or note as a broker writes it: on one line, cut to 200 characters; `None` if nothing is left.
pub fn short(text: &str) -> Option<String> {
    Some(one_line(text, 200)).filter(|kept| !kept.is_empty())
}

/// Words with single spaces, cut if longer than `chars_max`.
pub fn one_line(text: &str, chars_max: usize) -> String {
    if is_one_line(text) && text.len() <= chars_max {
        return text.to_owned();
    }
    let plain: String = text.chars().filter(|letter| letter.is_whitespace() || !letter.is_control()).collect();
    let kept: String = plain.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(chars_max).collect();
    kept.trim_end().to_owned()
}

/// Printable ASCII with single spaces, as most texts are.
fn is_one_line(text: &str) -> bool {
    let mut before = b' ';
    for byte in text.bytes() {
        if !(b' '..=b'~').contains(&byte) || (byte == b' ' && before == b' ') {
            return false;
        }
        before = byte;
    }
    before != b' '
}

/// A ticker: trimmed, uppercase, no spaces.
pub fn symbol(column: &str, raw: &str) -> Result<String, Reason> {
    let symbol = text(column, raw, 32)?.to_uppercase();
    if symbol.chars().any(char::is_whitespace) {
        return Err(Reason::SymbolWithSpace(Cell::new(column, raw)));
    }
    Ok(symbol)
}

/// An ISIN: two letters, nine letters or digits, and a correct check digit.
pub fn isin(column: &str, raw: &str) -> Result<String, Reason> {
    let isin = raw.to_uppercase();
    let shaped = isin.len() == 12
        && isin.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && isin.bytes().take(2).all(|byte| byte.is_ascii_alphabetic())
        && isin.bytes().last().is_some_and(|byte| byte.is_ascii_digit());
    match shaped && luhn_of(&isin) {
        true => Ok(isin),
        false => Err(Reason::NotAnIsin(Cell::new(column, raw))),
    }
}

/// The ISIN of a security with a CUSIP: the country, the CUSIP and a check digit.
pub fn isin_of(country: &str, cusip: &str) -> Option<String> {
    let shaped = cusip.len() == 9 && cusip.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let stem = format!("{country}{cusip}").to_uppercase();
    (0..=9).map(|digit| format!("{stem}{digit}")).find(|isin| shaped && luhn_of(isin))
}

fn luhn_of(isin: &str) -> bool {
    // From the right, where a letter counts as two digits.
    let values = isin.chars().rev().filter_map(|letter| letter.to_digit(36));
    let digits = values.flat_map(|value| [value % 10, value / 10].into_iter().take(if value > 9 { 2 } else { 1 }));
    let sum: u32 = digits.enumerate().map(|(at, digit)| if at % 2 == 1 { digit * 2 / 10 + digit * 2 % 10 } else { digit }).sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_figure_is_below_a_trillion() {
        assert!(decimal("price", "999999999999.99").is_ok());
        assert!(decimal("price", "0000999999999999.99").is_ok());
        assert!(decimal("price", "1000000000000").is_err());
        assert!(decimal("price", "99999999999999999999999999999999999999").is_err());
    }

    #[test]
    fn a_decimal_is_digits_and_one_point() {
        assert_eq!(decimal("price", "18.00").unwrap().to_string(), "18.00");
        assert_eq!(decimal("price", "-0.5").unwrap().to_string(), "-0.5");
        for bad in ["", "-", ".5", "5.", "1,5", "1e3", "+1", " 1", "1_000", "NaN", "１", "0.1234567890123456789"] {
            assert!(decimal("price", bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_figure_is_kept_exactly_or_refused() {
        for exact in ["9999999999.123456789012345678", "-0.000000000000000001", "999999999999.0000000000000000"] {
            assert_eq!(decimal("price", exact).unwrap().to_string(), exact);
        }
        let reason = decimal("price", "999999999999.123456789012345678").unwrap_err();
        assert_eq!(reason, Reason::TooManyDigits(Cell::new("price", "999999999999.123456789012345678")));
    }

    #[test]
    fn a_long_name_is_cut_and_an_empty_one_is_none() {
        assert_eq!(short(" Coca-\u{7}Cola\n").as_deref(), Some("Coca-Cola"));
        assert_eq!(short(&"é".repeat(300)).unwrap().chars().count(), 200);
        assert_eq!(short(" \t"), None);
    }

    #[test]
    fn a_date_is_a_real_day() {
        assert!(date("date", "2024-02-29").is_ok());
        for bad in ["2023-02-29", "2024-2-9", "20240209", "2024-02-09T00:00", "0000-01-01", "9999-12-31", "+024-01-01"] {
            assert!(date("date", bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_cusip_is_converted_to_an_isin() {
        assert_eq!(isin_of("US", "191216100").as_deref(), Some("US1912161007"));
        assert_eq!(isin_of("CA", "780087102").as_deref(), Some("CA7800871021"));
        assert_eq!(isin_of("US", "KO"), None);
    }

    #[test]
    fn the_check_digit_of_an_isin_is_verified() {
        for good in ["US1912161007", "GB0002374006", "ES0144580Y14", "IE00B4L5Y983"] {
            assert!(isin("isin", good).is_ok(), "{good}");
        }
        assert!(isin("isin", "US1912161008").is_err());
        assert!(isin("isin", "KO").is_err());
    }
}
