//! Reads the value of a column: decimals, dates and ids are stored as text, booleans as numbers.

use jiff::civil::Date;
use rusqlite::types::ValueRef;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::value::{Param, Type};

/// `None` for a value that no version of this program writes.
pub(crate) fn value<'r>(row: &'r rusqlite::Row<'_>, column: usize, kind: Type) -> Option<Param<'r>> {
    let text = |bytes: &'r [u8]| std::str::from_utf8(bytes).ok();
    match (row.get_ref(column).ok()?, kind) {
        (ValueRef::Null, _) => Some(Param::Null),
        (ValueRef::Integer(integer), Type::Integer) => Some(Param::Integer(integer)),
        (ValueRef::Integer(integer), Type::Boolean) => Some(Param::Boolean(integer != 0)),
        (ValueRef::Blob(bytes), Type::Bytes) => Some(bytes.into()),
        (ValueRef::Text(bytes), Type::Text) => text(bytes).map(Into::into),
        (ValueRef::Text(bytes), Type::Decimal) => {
            Decimal::from_str_exact(text(bytes)?).ok().map(|decimal| Param::Decimal(decimal.serialize()))
        }
        (ValueRef::Text(bytes), Type::Date) => iso_date(text(bytes)?).map(Param::Date),
        (ValueRef::Text(bytes), Type::Uuid) => Uuid::try_parse(text(bytes)?).ok().map(Param::Uuid),
        _ => None,
    }
}

/// `YYYY-MM-DD` only; this runs for every row of a ledger, and a general parser would cost more than the row.
fn iso_date(text: &str) -> Option<Date> {
    let bytes: &[u8; 10] = text.as_bytes().try_into().ok()?;
    let number = |range: std::ops::Range<usize>| {
        bytes[range].iter().try_fold(0i16, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + i16::from(digit - b'0')))
    };
    if bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::iso_date;
    use jiff::civil::date;

    #[test]
    fn a_date_is_ten_characters_and_a_real_day() {
        assert_eq!(iso_date("2026-02-28"), Some(date(2026, 2, 28)));
        assert_eq!(iso_date("0000-01-01"), Some(date(0, 1, 1)));
        assert_eq!(iso_date("9999-12-31"), Some(date(9999, 12, 31)));
        for bad in ["2026-02-30", "2026-2-03", "20260203", "2026/02/03", "2026-02-0x", "", "2026-02-031", "+026-02-03"] {
            assert_eq!(iso_date(bad), None, "{bad}");
        }
    }
}
