//! Strict reading of query parameters and path segments. A malformed value is an error that names its parameter; a number
//! out of range is clamped; an unknown parameter is ignored.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use jiff::civil::Date;
use ledger::Decimal;

use crate::response::error::ApiError;

#[derive(Debug)]
pub struct Query<'a> {
    pairs: Vec<Pair<'a>>,
}

#[derive(Debug)]
struct Pair<'a> {
    name: Cow<'a, [u8]>,
    value: Cow<'a, [u8]>,
}

impl<'a> Query<'a> {
    /// `raw` is the query as received. A broken escape is refused anywhere, because its meaning is unknown.
    pub fn parse(raw: Option<&'a str>) -> Result<Self, ApiError> {
        let pieces = raw.unwrap_or_default().split('&').filter(|piece| !piece.is_empty());
        Ok(Self { pairs: pieces.map(pair).collect::<Result<_, _>>()? })
    }

    /// Digits with an optional minus, of any length, clamped into the range.
    pub fn integer(&self, name: &str, range: RangeInclusive<i64>, default: i64) -> Result<i64, ApiError> {
        let accepts = || format!("a whole number from {} to {}", range.start(), range.end());
        match self.value(name, accepts)? {
            None => Ok(default),
            Some(text) => {
                let number = saturating_integer(text).ok_or_else(|| ApiError::invalid_params(name, &accepts()))?;
                Ok(number.clamp(*range.start(), *range.end()))
            }
        }
    }

    pub fn boolean(&self, name: &str, default: bool) -> Result<bool, ApiError> {
        let accepts = || "true or false".to_owned();
        match self.value(name, accepts)? {
            None => Ok(default),
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            Some(_) => Err(ApiError::invalid_params(name, &accepts())),
        }
    }

    pub fn date(&self, name: &str) -> Result<Option<Date>, ApiError> {
        let accepts = || "a date written as YYYY-MM-DD".to_owned();
        let Some(text) = self.value(name, accepts)? else { return Ok(None) };
        calendar_day(text).map(Some).ok_or_else(|| ApiError::invalid_params(name, &accepts()))
    }

    /// A number above zero: up to 12 digits, and up to 16 decimals after a point.
    pub fn positive(&self, name: &str) -> Result<Option<Decimal>, ApiError> {
        let accepts = || "a number above zero, such as 12.5, with up to 12 digits and 16 decimals".to_owned();
        let Some(text) = self.value(name, accepts)? else { return Ok(None) };
        positive_number(text).map(Some).ok_or_else(|| ApiError::invalid_params(name, &accepts()))
    }

    /// Trimmed. A blank value is an error.
    pub fn text(&self, name: &str) -> Result<Option<&str>, ApiError> {
        let accepts = || "a text that is not blank".to_owned();
        match self.value(name, accepts)?.map(str::trim) {
            Some("") => Err(ApiError::invalid_params(name, &accepts())),
            other => Ok(other),
        }
    }

    pub fn required_text(&self, name: &str, characters_max: usize) -> Result<&str, ApiError> {
        let accepts = || format!("a text of 1 to {characters_max} characters");
        let text = self.value(name, accepts)?.map(str::trim).unwrap_or_default();
        let fits = !text.is_empty() && text.chars().nth(characters_max).is_none();
        if fits { Ok(text) } else { Err(ApiError::invalid_params(name, &accepts())) }
    }

    /// The value of a parameter given at most once, as UTF-8 without NUL (which one database stores and another refuses).
    fn value(&self, name: &str, accepts: impl Fn() -> String) -> Result<Option<&str>, ApiError> {
        let mut values = self.pairs.iter().filter(|pair| *pair.name == *name.as_bytes()).map(|pair| &pair.value);
        let Some(bytes) = values.next() else { return Ok(None) };
        if values.next().is_some() {
            return Err(ApiError::invalid_params(name, &format!("{}, given only once", accepts())));
        }
        let text = plain_text(bytes).ok_or_else(|| ApiError::invalid_params(name, &format!("{}, in UTF-8", accepts())))?;
        Ok(Some(text))
    }
}

/// The last segment of a path, decoded and trimmed. An empty or malformed one is not found.
pub fn last_segment(path: &str) -> Result<String, ApiError> {
    let raw = path.rsplit('/').next().unwrap_or_default();
    let bytes = decode(raw, Plus::Literal).ok_or_else(ApiError::no_such_path)?;
    match plain_text(&bytes).map(str::trim) {
        None | Some("") => Err(ApiError::no_such_path()),
        Some(text) => Ok(text.to_owned()),
    }
}

fn pair(piece: &str) -> Result<Pair<'_>, ApiError> {
    let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
    let name = decode(name, Plus::Space).ok_or_else(ApiError::invalid_query)?;
    let value = decode(value, Plus::Space).ok_or_else(|| match printable(&name) {
        Some(name) => ApiError::invalid_params(name, "percent-encoded correctly"),
        None => ApiError::invalid_query(),
    })?;
    Ok(Pair { name, value })
}

/// A name that is safe to repeat in a message: short and printable.
fn printable(name: &[u8]) -> Option<&str> {
    let plain = !name.is_empty() && name.len() <= 32 && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    std::str::from_utf8(name).ok().filter(|_| plain)
}

fn plain_text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

#[derive(Clone, Copy, PartialEq)]
enum Plus {
    Space,
    Literal,
}

/// A decoded name or value of a form or query; none if an escape is broken.
pub fn form_decoded(text: &str) -> Option<Cow<'_, [u8]>> {
    decode(text, Plus::Space)
}

/// `None` when a `%` is not followed by two hexadecimal digits.
fn decode(text: &str, plus: Plus) -> Option<Cow<'_, [u8]>> {
    let bytes = text.as_bytes();
    if !bytes.iter().any(|&byte| byte == b'%' || (byte == b'+' && plus == Plus::Space)) {
        return Some(Cow::Borrowed(bytes));
    }
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        rest = after;
        match first {
            b'+' if plus == Plus::Space => decoded.push(b' '),
            b'%' => {
                let [high, low, after @ ..] = rest else { return None };
                decoded.push(hex(*high)? << 4 | hex(*low)?);
                rest = after;
            }
            byte => decoded.push(*byte),
        }
    }
    Some(Cow::Owned(decoded))
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

fn saturating_integer(text: &str) -> Option<i64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(digits.bytes().fold(0_i64, |number, digit| number.saturating_mul(10).saturating_add(sign * i64::from(digit - b'0'))))
}

fn positive_number(text: &str) -> Option<Decimal> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let fits = |part: &str, max: usize| (1..=max).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let number = if fits(whole, 12) && fits(decimals, 16) { Decimal::from_str_exact(text).ok()? } else { return None };
    (number > Decimal::ZERO).then_some(number)
}

fn calendar_day(text: &str) -> Option<Date> {
    let shape =
        text.bytes().enumerate().all(|(place, byte)| if matches!(place, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() });
    if text.len() != 10 || !shape {
        return None;
    }
    Date::new(text[..4].parse().ok()?, text[5..7].parse().ok()?, text[8..].parse().ok()?).ok()
}
