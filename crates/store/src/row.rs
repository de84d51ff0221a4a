//! A row of a result, read by column number and declared type.

use jiff::civil::Date;
use ledger::Currency;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Error;
use crate::error::Damage;
use crate::statement::{Param, Statement, Type};

pub(crate) struct Row<'a> {
    pub(crate) values: Values<'a>,
    pub(crate) statement: &'static Statement,
}

/// The row in its engine's type.
pub(crate) enum Values<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a tokio_postgres::Row),
}

impl Row<'_> {
    pub(crate) fn text(&self, column: usize) -> Result<String, Error> {
        self.required(column, self.opt_text(column)?)
    }

    pub(crate) fn opt_text(&self, column: usize) -> Result<Option<String>, Error> {
        Ok(self.str(column)?.map(str::to_owned))
    }

    pub(crate) fn i64(&self, column: usize) -> Result<i64, Error> {
        self.required(column, self.opt_i64(column)?)
    }

    pub(crate) fn opt_i64(&self, column: usize) -> Result<Option<i64>, Error> {
        self.typed(column, Type::Integer, |value| if let Param::Integer(integer) = value { Some(integer) } else { None })
    }

    pub(crate) fn bool(&self, column: usize) -> Result<bool, Error> {
        self.required(column, self.opt_bool(column)?)
    }

    pub(crate) fn opt_bool(&self, column: usize) -> Result<Option<bool>, Error> {
        self.typed(column, Type::Boolean, |value| if let Param::Boolean(yes) = value { Some(yes) } else { None })
    }

    pub(crate) fn decimal(&self, column: usize) -> Result<Decimal, Error> {
        self.required(column, self.opt_decimal(column)?)
    }

    /// Keeps the scale it was written with: `18.00` stays `18.00`.
    pub(crate) fn opt_decimal(&self, column: usize) -> Result<Option<Decimal>, Error> {
        self.typed(column, Type::Decimal, |value| if let Param::Decimal(decimal) = value { Some(decimal) } else { None })
    }

    pub(crate) fn date(&self, column: usize) -> Result<Date, Error> {
        self.required(column, self.opt_date(column)?)
    }

    pub(crate) fn opt_date(&self, column: usize) -> Result<Option<Date>, Error> {
        self.typed(column, Type::Date, |value| if let Param::Date(date) = value { Some(date) } else { None })
    }

    pub(crate) fn uuid(&self, column: usize) -> Result<Uuid, Error> {
        self.required(column, self.opt_uuid(column)?)
    }

    pub(crate) fn opt_uuid(&self, column: usize) -> Result<Option<Uuid>, Error> {
        self.typed(column, Type::Uuid, |value| if let Param::Uuid(uuid) = value { Some(uuid) } else { None })
    }

    pub(crate) fn currency(&self, column: usize) -> Result<Currency, Error> {
        self.parse(column, |text| Currency::parse(text).ok())
    }

    pub(crate) fn bytes<const N: usize>(&self, column: usize) -> Result<[u8; N], Error> {
        self.required(column, self.opt_bytes(column)?)
    }

    pub(crate) fn opt_bytes<const N: usize>(&self, column: usize) -> Result<Option<[u8; N]>, Error> {
        let exact = |bytes: &[u8]| bytes.try_into().map_err(|_| self.unreadable(column));
        self.slice(column)?.map(exact).transpose()
    }

    /// Bytes of any length.
    pub(crate) fn blob(&self, column: usize) -> Result<Vec<u8>, Error> {
        Ok(self.required(column, self.slice(column)?)?.to_vec())
    }

    pub(crate) fn opt_blob(&self, column: usize) -> Result<Option<Vec<u8>>, Error> {
        Ok(self.slice(column)?.map(<[u8]>::to_vec))
    }

    /// A text that stands for something else, such as one of a few words.
    pub(crate) fn parse<T>(&self, column: usize, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, Error> {
        self.required(column, self.opt_parse(column, parse)?)
    }

    pub(crate) fn opt_parse<T>(&self, column: usize, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, Error> {
        match self.str(column)? {
            None => Ok(None),
            Some(text) => self.required(column, parse(text)).map(Some),
        }
    }

    /// Any value.
    pub(crate) fn value(&self, column: usize) -> Result<Param<'_>, Error> {
        let kind = self.statement.columns.get(column).copied();
        let value = match &self.values {
            Values::Sqlite(row) => kind.and_then(|kind| crate::sqlite::value(row, column, kind)),
            Values::Postgres(row) => kind.and_then(|kind| crate::postgres::value(row, column, kind)),
        };
        self.required(column, value)
    }

    fn str(&self, column: usize) -> Result<Option<&str>, Error> {
        self.typed(column, Type::Text, |value| if let Param::Text(text) = value { Some(text) } else { None })
    }

    fn slice(&self, column: usize) -> Result<Option<&[u8]>, Error> {
        self.typed(column, Type::Bytes, |value| if let Param::Bytes(bytes) = value { Some(bytes) } else { None })
    }

    fn typed<'r, T>(&'r self, column: usize, kind: Type, tell: impl FnOnce(Param<'r>) -> Option<T>) -> Result<Option<T>, Error> {
        debug_assert_eq!(self.statement.columns.get(column), Some(&kind), "{} column {column}", self.statement.name);
        match self.value(column)? {
            Param::Null => Ok(None),
            value => self.required(column, tell(value)).map(Some),
        }
    }

    fn required<T>(&self, column: usize, value: Option<T>) -> Result<T, Error> {
        value.ok_or_else(|| self.unreadable(column))
    }

    fn unreadable(&self, column: usize) -> Error {
        Damage::Value { statement: self.statement.name, column: column + 1 }.into()
    }
}
