//! Reads the value of a column.

use std::error::Error as StdError;

use jiff::civil::Date;
use rust_decimal::Decimal;
use tokio_postgres::Row;
use tokio_postgres::types::{FromSql, Type as Wire};
use uuid::Uuid;

use super::numeric;
use crate::value::{Param, Type};

/// `None` if it cannot be read.
pub(crate) fn value(row: &Row, column: usize, kind: Type) -> Option<Param<'_>> {
    match kind {
        Type::Text => read::<&str>(row, column).map(Into::into),
        Type::Integer => read::<i64>(row, column).map(Into::into),
        Type::Boolean => read::<bool>(row, column).map(Into::into),
        Type::Decimal => read::<Numeric>(row, column).map(|found| found.map(|numeric| numeric.0).into()),
        Type::Date => read::<Date>(row, column).map(Into::into),
        Type::Uuid => read::<Uuid>(row, column).map(Into::into),
        Type::Bytes => read::<&[u8]>(row, column).map(Into::into),
    }
}

fn read<'r, T: FromSql<'r>>(row: &'r Row, column: usize) -> Option<Option<T>> {
    row.try_get(column).ok()
}

struct Numeric(Decimal);

impl<'r> FromSql<'r> for Numeric {
    fn from_sql(_: &Wire, bytes: &'r [u8]) -> Result<Self, Box<dyn StdError + Sync + Send>> {
        numeric::decode(bytes).map(Numeric).ok_or_else(|| "not a decimal".into())
    }

    fn accepts(kind: &Wire) -> bool {
        *kind == Wire::NUMERIC
    }
}
