//! Parsers of single fields of the offline files.

use jiff::Timestamp;
use jiff::civil::Date;
use ledger::Decimal;

use super::problem::Reason;

/// A ticker in capitals; preferred shares and rights may contain spaces (`UMH PR-A`).
pub fn symbol(text: &str) -> Result<String, Reason> {
    let symbol = text.split(' ').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ").to_uppercase();
    match symbol.chars().count() > 32
        || symbol.chars().any(|letter| letter.is_control() || (letter.is_whitespace() && letter != ' '))
    {
        true => Err(Reason::MalformedSymbol { text: text.to_owned() }),
        false => Ok(symbol),
    }
}

/// A market figure below a trillion; up to twelve decimals are kept.
pub fn decimal(column: &'static str, text: &str) -> Result<Decimal, Reason> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'-');
    let figure =
        text.parse::<Decimal>().ok().filter(|_| plain).filter(|figure| figure.abs() < Decimal::from(1_000_000_000_000_i64));
    figure
        .map(|figure| if figure.scale() > 12 { figure.round_dp(12) } else { figure })
        .ok_or_else(|| Reason::MalformedNumber { column, text: text.to_owned() })
}

pub fn date(column: &'static str, text: &str) -> Result<Date, Reason> {
    let day = if text.len() == 10 { text.parse::<Date>().ok() } else { None };
    day.filter(|day| (1900..=2200).contains(&day.year())).ok_or_else(|| Reason::MalformedDate { column, text: text.to_owned() })
}

/// An RFC 3339 instant, or a day, which means midnight UTC.
pub fn instant(column: &'static str, text: &str) -> Result<Timestamp, Reason> {
    let midnight = |day: Date| day.to_zoned(jiff::tz::TimeZone::UTC).map(|zoned| zoned.timestamp());
    let instant = match date(column, text) {
        Ok(day) => midnight(day).ok(),
        Err(_) => text.parse::<Timestamp>().ok(),
    };
    instant.ok_or_else(|| Reason::MalformedInstant { column, text: text.to_owned() })
}
