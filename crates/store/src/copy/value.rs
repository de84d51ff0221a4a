//! A row that outlives the connection it was read from.

use jiff::civil::Date;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Error;
use crate::row::Row;
use crate::value::Param;

/// Equal if they are indistinguishable; ordered, in keys, as both engines order them. No `Debug`: values are private.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Value {
    Null,
    Text(String),
    Integer(i64),
    Boolean(bool),
    /// With its scale: as decimals, `1.0` and `1.00` would be equal.
    Decimal([u8; 16]),
    Date(Date),
    Uuid(Uuid),
    Bytes(Vec<u8>),
}

impl Value {
    pub(super) fn row(row: &Row<'_>) -> Result<Vec<Value>, Error> {
        row.statement.columns.iter().enumerate().map(|(column, kind)| row.value(column, *kind).map(Value::of)).collect()
    }

    fn of(param: Param<'_>) -> Value {
        match param {
            Param::Null => Value::Null,
            Param::Text(text) => Value::Text(text.into_owned()),
            Param::Integer(integer) => Value::Integer(integer),
            Param::Boolean(yes) => Value::Boolean(yes),
            Param::Decimal(decimal) => Value::Decimal(without_signed_zero(decimal).serialize()),
            Param::Date(date) => Value::Date(date),
            Param::Uuid(uuid) => Value::Uuid(uuid),
            Param::Bytes(bytes) => Value::Bytes(bytes.to_vec()),
        }
    }

    pub(super) fn param(&self) -> Param<'_> {
        match self {
            Value::Null => Param::Null,
            Value::Text(text) => text.into(),
            Value::Integer(integer) => Param::Integer(*integer),
            Value::Boolean(yes) => Param::Boolean(*yes),
            Value::Decimal(bytes) => Param::Decimal(Decimal::deserialize(*bytes)),
            Value::Date(date) => Param::Date(*date),
            Value::Uuid(uuid) => Param::Uuid(*uuid),
            Value::Bytes(bytes) => Param::Bytes(bytes),
        }
    }

    /// Its approximate size in memory.
    pub(super) fn size(&self) -> usize {
        size_of::<Value>()
            + match self {
                Value::Text(text) => text.len(),
                Value::Bytes(bytes) => bytes.len(),
                _ => 0,
            }
    }
}

/// Old files have negative zeros, which PostgreSQL does not support.
fn without_signed_zero(mut decimal: Decimal) -> Decimal {
    if decimal.is_zero() {
        decimal.set_sign_positive(true);
    }
    decimal
}
