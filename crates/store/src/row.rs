//! A row of an answer, read by column number and declared type.

use jiff::civil::Date;
use ledger::Currency;
use rusqlite::types::ValueRef;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Error;
use crate::statement::{Statement, Type};

pub(crate) struct Row<'a> {
    pub(crate) row: &'a rusqlite::Row<'a>,
    pub(crate) statement: &'static Statement,
}

impl Row<'_> {
    pub(crate) fn text(&self, column: usize) -> Result<String, Error> {
        self.required(column, self.opt_text(column)?)
    }

    pub(crate) fn opt_text(&self, column: usize) -> Result<Option<String>, Error> {
        Ok(self.str(column, Type::Text)?.map(str::to_owned))
    }

    pub(crate) fn i64(&self, column: usize) -> Result<i64, Error> {
        self.required(column, self.opt_i64(column)?)
    }

    pub(crate) fn opt_i64(&self, column: usize) -> Result<Option<i64>, Error> {
        self.integer(column, Type::Integer)
    }

    pub(crate) fn bool(&self, column: usize) -> Result<bool, Error> {
        Ok(self.required(column, self.integer(column, Type::Boolean)?)? != 0)
    }

    pub(crate) fn decimal(&self, column: usize) -> Result<Decimal, Error> {
        self.required(column, self.opt_decimal(column)?)
    }

    /// Keeps the scale it was written with: `18.00` stays `18.00`.
    pub(crate) fn opt_decimal(&self, column: usize) -> Result<Option<Decimal>, Error> {
        self.parsed(column, Type::Decimal, |text| Decimal::from_str_exact(text).ok())
    }

    pub(crate) fn date(&self, column: usize) -> Result<Date, Error> {
        self.required(column, self.opt_date(column)?)
    }

    pub(crate) fn opt_date(&self, column: usize) -> Result<Option<Date>, Error> {
        self.parsed(column, Type::Date, iso_date)
    }

    pub(crate) fn uuid(&self, column: usize) -> Result<Uuid, Error> {
        self.required(column, self.opt_uuid(column)?)
    }

    pub(crate) fn opt_uuid(&self, column: usize) -> Result<Option<Uuid>, Error> {
        self.parsed(column, Type::Uuid, |text| Uuid::try_parse(text).ok())
    }

    pub(crate) fn currency(&self, column: usize) -> Result<Currency, Error> {
        self.parse(column, |text| Currency::parse(text).ok())
    }

    pub(crate) fn bytes<const N: usize>(&self, column: usize) -> Result<[u8; N], Error> {
        match self.value(column, Type::Bytes)? {
            ValueRef::Blob(bytes) => bytes.try_into().map_err(|_| self.unreadable(column)),
            _ => Err(self.unreadable(column)),
        }
    }

    pub(crate) fn opt_bytes<const N: usize>(&self, column: usize) -> Result<Option<[u8; N]>, Error> {
        match self.value(column, Type::Bytes)? {
            ValueRef::Null => Ok(None),
            _ => self.bytes(column).map(Some),
        }
    }

    /// Bytes of any length.
    pub(crate) fn blob(&self, column: usize) -> Result<Vec<u8>, Error> {
        match self.value(column, Type::Bytes)? {
            ValueRef::Blob(bytes) => Ok(bytes.to_vec()),
            _ => Err(self.unreadable(column)),
        }
    }

    /// A text that stands for something else, such as one of a few words.
    pub(crate) fn parse<T>(&self, column: usize, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, Error> {
        self.required(column, self.parsed(column, Type::Text, parse)?)
    }

    pub(crate) fn opt_parse<T>(&self, column: usize, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Error> {
        self.parsed(column, Type::Text, parse)
    }

    fn parsed<T>(&self, column: usize, kind: Type, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Error> {
        match self.str(column, kind)? {
            None => Ok(None),
            Some(text) => self.required(column, parse(text)).map(Some),
        }
    }

    fn str(&self, column: usize, kind: Type) -> Result<Option<&str>, Error> {
        match self.value(column, kind)? {
            ValueRef::Null => Ok(None),
            ValueRef::Text(bytes) => std::str::from_utf8(bytes).map(Some).map_err(|_| self.unreadable(column)),
            _ => Err(self.unreadable(column)),
        }
    }

    fn integer(&self, column: usize, kind: Type) -> Result<Option<i64>, Error> {
        match self.value(column, kind)? {
            ValueRef::Null => Ok(None),
            ValueRef::Integer(integer) => Ok(Some(integer)),
            _ => Err(self.unreadable(column)),
        }
    }

    fn value(&self, column: usize, kind: Type) -> Result<ValueRef<'_>, Error> {
        debug_assert_eq!(self.statement.columns.get(column), Some(&kind), "{} column {column}", self.statement.name);
        self.row.get_ref(column).map_err(|_| self.unreadable(column))
    }

    fn required<T>(&self, column: usize, value: Option<T>) -> Result<T, Error> {
        value.ok_or_else(|| self.unreadable(column))
    }

    /// Names the place, never the value: values are private and errors are logged.
    fn unreadable(&self, column: usize) -> Error {
        Error::Corrupt(format!("column {} of {} holds a value that cannot be read", column + 1, self.statement.name))
    }
}

/// `YYYY-MM-DD` only; a ledger is read row by row and a general parser would cost more than the row.
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
