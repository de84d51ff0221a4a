//! Numbers and dates as Yahoo writes them, from the texts of the world.

use serde_json::Value;

/// A JSON number with the same digits; null for an empty text.
pub fn number(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { serde_json::from_str(text).unwrap() }
}

/// `text × new ÷ old`, rounded to six decimals like Yahoo's adjusted amounts.
pub fn scaled(text: &str, new: u64, old: u64) -> String {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let millionths: i128 = format!("{whole}{fraction:0<6}").parse().unwrap();
    let (new, old) = (i128::from(new), i128::from(old));
    let scaled = (millionths * new * 2 + old) / (old * 2);
    format!("{}.{:06}", scaled / 1_000_000, scaled % 1_000_000)
}

/// Unix seconds of midnight UTC on a `YYYY-MM-DD`.
pub fn midnight(date: &str) -> i64 {
    let mut parts = date.splitn(3, '-').map(|part| part.parse::<i64>().unwrap());
    let (year, month, day) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
    // Days since 1970 in the civil calendar, counted from March so that a leap day comes last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5 + day - 1;
    (days - 719_468) * 86_400
}
