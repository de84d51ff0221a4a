//! Numbers as brokers write them: `$1,259.59`, `-€1.234,5`, `(12.30)`, `1'000.5`, `-2.63E-4`.

use std::borrow::Cow;

use ledger::Decimal;

use super::fields::{DECIMALS_MAX, DIGITS_MAX};
use crate::Reason;
use crate::reason::Cell;

/// The decimal mark, if a single mark is ambiguous.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Decimals {
    #[default]
    Point,
    Comma,
}

impl Decimals {
    /// What the numbers among the cells show; `None` if they show nothing.
    pub fn sniff<'a>(cells: impl Iterator<Item = &'a str>) -> Option<Decimals> {
        let (mut point, mut comma) = (0_u32, 0_u32);
        // A number without a mark shows nothing, and most cells have none.
        for cell in cells.filter(|cell| cell.bytes().any(|byte| matches!(byte, b'.' | b','))) {
            match without_currency(cell).and_then(|(_, body)| decisive(&body)) {
                Some(Decimals::Point) => point += 1,
                Some(Decimals::Comma) => comma += 1,
                None => {}
            }
        }
        match point.cmp(&comma) {
            std::cmp::Ordering::Greater => Some(Decimals::Point),
            std::cmp::Ordering::Less => Some(Decimals::Comma),
            std::cmp::Ordering::Equal => None,
        }
    }

    fn mark(self) -> char {
        match self {
            Decimals::Point => '.',
            Decimals::Comma => ',',
        }
    }
}

/// Exactly the written number, or the reason why it is invalid. Currency signs and codes around it are ignored.
pub fn figure(name: &str, text: &str, decimals: Decimals) -> Result<Decimal, Reason> {
    if let Some(value) = simple(text, decimals) {
        return Ok(value);
    }
    let cell = || Cell::new(name, text.trim());
    let wrong = || Reason::NotANumber(cell());
    let (negative, body) = without_currency(text).ok_or_else(wrong)?;
    let plain = match body.contains(['e', 'E']) {
        true => scientific(&body).ok_or_else(wrong)?,
        false => plain(&body, decimals).ok_or_else(wrong)?,
    };
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    if whole.trim_start_matches('0').len() > DIGITS_MAX {
        return Err(Reason::NumberTooLarge(cell()));
    }
    if fraction.trim_end_matches('0').len() > DECIMALS_MAX as usize {
        return Err(Reason::TooManyDecimals { column: name.into(), max: DECIMALS_MAX });
    }
    let exact = if fraction.len() > DECIMALS_MAX as usize { plain.trim_end_matches('0') } else { &plain };
    let mut value = Decimal::from_str_exact(exact).map_err(|_| Reason::TooManyDigits(cell()))?;
    value.set_sign_negative(negative && !value.is_zero());
    Ok(value)
}

/// A fast path for a few digits with at most the file's own decimal mark, as most numbers are.
fn simple(text: &str, decimals: Decimals) -> Option<Decimal> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mut value, mut mark) = (0_i64, None);
    for (at, byte) in unsigned.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => value = value.checked_mul(10)?.checked_add(i64::from(byte - b'0'))?,
            _ if mark.is_none() && char::from(byte) == decimals.mark() => mark = Some(at),
            _ => return None,
        }
    }
    let whole = mark.unwrap_or(unsigned.len());
    let scale = unsigned.len().saturating_sub(whole + 1);
    let value = if unsigned.len() < text.len() { -value } else { value };
    (whole + scale > 0 && whole <= DIGITS_MAX && scale <= DECIMALS_MAX as usize).then(|| Decimal::new(value, scale as u32))
}

/// The sign, and the digits with their marks; `None` if there is anything else in between.
fn without_currency(text: &str) -> Option<(bool, Cow<'_, str>)> {
    let text = text.trim();
    // Most numbers have nothing around them.
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    if !unsigned.is_empty() && unsigned.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b',')) {
        return Some((unsigned.len() < text.len(), unsigned.into()));
    }
    stripped(text)
}

/// The same with signs, codes and spaces.
fn stripped(text: &str) -> Option<(bool, Cow<'_, str>)> {
    let (text, in_brackets) = match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => (inner, true),
        None => (text, false),
    };
    let is_mark = |letter: char| letter == '-' || letter == '\u{2212}' || letter == '+' || is_space(letter);
    let of_currency = |letter: char| letter.is_alphabetic() || is_currency_sign(letter) || is_mark(letter);
    let body = text.trim_start_matches(of_currency).trim_end_matches(of_currency);
    let start = text.len() - text.trim_start_matches(of_currency).len();
    let around = format!("{}{}", &text[..start], text.get(start + body.len()..).unwrap_or_default());
    let words: usize = around.chars().filter(|letter| letter.is_alphabetic()).count();
    let minuses = around.chars().filter(|letter| matches!(letter, '-' | '\u{2212}')).count();
    if body.is_empty() || words > 4 || minuses > 1 || (in_brackets && minuses > 0) {
        return None;
    }
    let body: String = body.chars().filter(|letter| !is_space(*letter) && !matches!(letter, '\'' | '\u{2019}')).collect();
    Some((in_brackets || minuses == 1, body.into()))
}

fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\t')
}

fn is_currency_sign(letter: char) -> bool {
    matches!(letter, '$' | '€' | '£' | '¥' | '₹' | '₽' | '₪' | '₩' | '₺' | '₴' | '฿' | '%')
}

/// The mark that must be the decimal one in this number, whatever the file's style.
fn decisive(body: &str) -> Option<Decimals> {
    let letters = body.as_bytes();
    if !letters.first().is_some_and(u8::is_ascii_digit) || letters.iter().any(|byte| !matches!(byte, b'0'..=b'9' | b'.' | b',')) {
        return None;
    }
    let count = |mark: u8| letters.iter().filter(|byte| **byte == mark).count();
    let (points, commas) = (count(b'.'), count(b','));
    let after = |mark: char| body.rfind(mark).map_or(body.len(), |at| body.len() - at - 1);
    let alone = |mark: char| body.starts_with('0') || after(mark) != 3 || body.find(mark).is_some_and(|at| at > 3);
    match (points, commas) {
        (0, 0) => None,
        (1, 0) if alone('.') => Some(Decimals::Point),
        (0, 1) if alone(',') => Some(Decimals::Comma),
        (1, 0) | (0, 1) => None,
        (_, 0) => Some(Decimals::Comma),
        (0, _) => Some(Decimals::Point),
        _ if body.rfind('.') > body.rfind(',') => Some(Decimals::Point),
        _ => Some(Decimals::Comma),
    }
}

/// With a point and without thousands separators, which must be at the right positions.
fn plain(body: &str, decimals: Decimals) -> Option<String> {
    let mark = decisive(body).unwrap_or(decimals).mark();
    let other = if mark == '.' { ',' } else { '.' };
    let (whole, fraction) = match body.matches(mark).count() {
        0 => (body, ""),
        1 => body.split_once(mark)?,
        _ => return None,
    };
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let mut groups = whole.split(other);
    let first = groups.next()?;
    let grouped = whole.contains(other);
    let groups_fit = (!grouped || (1..=3).contains(&first.len())) && groups.all(|group| group.len() == 3 && all_digits(group));
    if !all_digits(first) || !groups_fit || !all_digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let whole: String = whole.chars().filter(|letter| *letter != other).collect();
    let whole = if whole.is_empty() { "0" } else { &whole };
    Some(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") })
}

fn scientific(body: &str) -> Option<String> {
    let (digits, power) = body.split_once(['e', 'E'])?;
    let power: i32 = power.parse().ok().filter(|power| (-30..=30).contains(power))?;
    let (whole, fraction) = digits.split_once(['.', ',']).unwrap_or((digits, ""));
    let all: String = format!("{whole}{fraction}");
    if all.is_empty() || all.len() > 40 || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let point = i32::try_from(whole.len()).ok()? + power;
    Some(match usize::try_from(point) {
        Ok(0) => format!("0.{all}"),
        Ok(point) if point >= all.len() => format!("{all}{}", "0".repeat(point - all.len())),
        Ok(point) => format!("{}.{}", &all[..point], &all[point..]),
        Err(_) => format!("0.{}{all}", "0".repeat(usize::try_from(-point).ok()?)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, decimals: Decimals) -> String {
        figure("price", text, decimals).map_or_else(|reason| reason.to_string(), |value| value.to_string())
    }

    #[test]
    fn amounts_are_read_as_brokers_write_them() {
        for (text, value) in [
            ("$1,259.59", "1259.59"),
            ("-$694.48", "-694.48"),
            ("$-0.88", "-0.88"),
            ("US$12.30", "12.30"),
            ("€ 1.234,50", "1234.50"),
            ("(12.30)", "-12.30"),
            ("12.30-", "-12.30"),
            ("\u{2212}5", "-5"),
            ("+5", "5"),
            ("1'000.5", "1000.5"),
            ("1\u{202f}234,5 EUR", "1234.5"),
            ("USD 0.6504", "0.6504"),
            ("-2.63E-4", "-0.000263"),
            ("1.5e3", "1500"),
            ("12E0", "12"),
            (".5", "0.5"),
            ("5.", "5"),
            ("-0.00", "0.00"),
            ("1,234,567", "1234567"),
            ("1.234.567", "1234567"),
            ("0,123", "0.123"),
            ("419,22", "419.22"),
            ("1.50000000000000000000", "1.5"),
        ] {
            assert_eq!(read(text, Decimals::Point), value, "{text}");
        }
    }

    #[test]
    fn a_single_mark_before_three_digits_follows_the_style_of_the_file() {
        assert_eq!(read("1,234", Decimals::Point), "1234");
        assert_eq!(read("1,234", Decimals::Comma), "1.234");
        assert_eq!(read("1.234", Decimals::Point), "1.234");
        assert_eq!(read("1.234", Decimals::Comma), "1234");
        assert_eq!(read("0.125", Decimals::Comma), "0.125");
        assert_eq!(read("1234.567", Decimals::Comma), "1234.567", "four digits are no group");
    }

    #[test]
    fn a_plain_number_reads_the_same_in_both_styles() {
        for (decimals, mark) in [(Decimals::Point, "."), (Decimals::Comma, ",")] {
            for (text, value) in [
                ("7", "7"),
                ("-50.20", "-50.20"),
                ("0012.500", "12.500"),
                ("-0.00", "0.00"),
                (".5", "0.5"),
                ("5.", "5"),
                ("1.234", "1.234"),
                ("999999999999.999999", "999999999999.999999"),
                ("0.000000000000000001", "0.000000000000000001"),
                ("9.223372036854775807", "9.223372036854775807"),
                // More than the fast path handles.
                ("9.223372036854775808", "9.223372036854775808"),
            ] {
                assert_eq!(read(&text.replace('.', mark), decimals), value, "{text}");
            }
            assert!(["", "-", mark, "-."].iter().all(|text| simple(text, decimals).is_none()));
        }
        assert!(read("0000000000001", Decimals::Point) == "1" && read("1000000000000", Decimals::Point).contains("too_large"));
    }

    #[test]
    fn an_invalid_number_is_refused() {
        for text in ["", "-", "--5", "1,23,4", "1.2.3", "12:30", "2024-01-02", "1 of 2", "abc", "1e99", "10/2", "(-5)", "٣"] {
            assert_eq!(read(text, Decimals::Point), format!("not_a_number column=\"price\" text=\"{text}\""), "{text}");
        }
        assert!(read("1000000000000", Decimals::Point).starts_with("number_too_large"));
        assert!(read("0.1234567890123456789", Decimals::Point).starts_with("too_many_decimals"));
    }

    #[test]
    fn the_decimal_style_follows_from_unambiguous_numbers() {
        let sniff = |cells: &[&str]| Decimals::sniff(cells.iter().copied());
        assert_eq!(sniff(&["1,234", "12,5", "7", "KO", "02.01.2024"]), Some(Decimals::Comma));
        assert_eq!(sniff(&["1,234", "12.5", "-$3.10"]), Some(Decimals::Point));
        assert_eq!(sniff(&["1,234", "5"]), None);
    }
}
