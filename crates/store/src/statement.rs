//! Statements: written once with `$1`, in the SQL that SQLite and PostgreSQL share, with their types.
//!
//! They avoid what differs: no `now()`, no `lower()`, no arithmetic or ordering of decimals, no date functions. `ORDER BY` on
//! text relies on byte order, SQLite's default; the PostgreSQL columns are declared `COLLATE "C"`. Parameters first appear in the
//! order of their numbers, because SQLite numbers `$1` by appearance.

use std::fmt;

use jiff::civil::Date;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::Error;
use crate::error::Bug;

/// One statement for both engines.
#[derive(Debug)]
pub struct Statement {
    pub name: &'static str,
    pub sql: &'static str,
    pub params: &'static [Type],
    pub columns: &'static [Type],
}

impl Statement {
    /// Refuses what neither engine should receive.
    pub(crate) fn check(&'static self, params: &[Param<'_>]) -> Result<(), Error> {
        let statement = self.name;
        if params.len() != self.params.len() {
            return Err(Bug::ParameterCount { statement }.into());
        }
        if !params.iter().zip(self.params).all(|(param, kind)| param.fits(*kind)) {
            return Err(Bug::ParameterType { statement }.into());
        }
        // SQLite would store it and match nothing; PostgreSQL would fail.
        if params.iter().any(|param| matches!(param, Param::Text(text) if text.as_bytes().contains(&0))) {
            return Err(Bug::NulByte { statement }.into());
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Text,
    Integer,
    Boolean,
    Decimal,
    Date,
    Uuid,
    Bytes,
}

/// Every statement of this crate.
pub fn all() -> impl Iterator<Item = &'static Statement> {
    let tables = [
        crate::accruals::STATEMENTS,
        crate::audit::STATEMENTS,
        crate::column_maps::STATEMENTS,
        crate::copy::unfinished::STATEMENTS,
        crate::devices::STATEMENTS,
        crate::dividends::STATEMENTS,
        crate::email_changes::STATEMENTS,
        crate::encryption_keys::STATEMENTS,
        crate::entries::STATEMENTS,
        crate::entries::written::STATEMENTS,
        crate::feeds::STATEMENTS,
        crate::fx_rates::STATEMENTS,
        crate::rejected_values::STATEMENTS,
        crate::imports::STATEMENTS,
        crate::instruments::STATEMENTS,
        crate::invitations::STATEMENTS,
        crate::leases::STATEMENTS,
        crate::mail_links::STATEMENTS,
        crate::oauth::blocked_clients::STATEMENTS,
        crate::oauth::clients::STATEMENTS,
        crate::oauth::codes::STATEMENTS,
        crate::oauth::consents::STATEMENTS,
        crate::oauth::device_codes::STATEMENTS,
        crate::oauth::grants::STATEMENTS,
        crate::oauth::refresh_tokens::STATEMENTS,
        crate::portfolios::STATEMENTS,
        crate::positions::STATEMENTS,
        crate::prices::STATEMENTS,
        crate::provenance::STATEMENTS,
        crate::providers::STATEMENTS,
        crate::radar::STATEMENTS,
        crate::refreshes::STATEMENTS,
        crate::refreshes::overview::STATEMENTS,
        crate::resets::STATEMENTS,
        crate::sessions::STATEMENTS,
        crate::sign_in_failures::STATEMENTS,
        crate::splits::STATEMENTS,
        crate::stocks::STATEMENTS,
        crate::stocks::changes::STATEMENTS,
        crate::stocks::placeholders::STATEMENTS,
        crate::tokens::STATEMENTS,
        crate::totp::STATEMENTS,
        crate::tracking::STATEMENTS,
        crate::uploads::STATEMENTS,
        crate::users::STATEMENTS,
        crate::users::deletion::STATEMENTS,
        crate::versions::STATEMENTS,
    ];
    tables.into_iter().flatten().copied().chain(crate::copy::statements())
}

/// Declares a table's statements and registers them: `NAME = "sql", [parameter types] => [column types];`
macro_rules! statements {
    ($($name:ident = $sql:expr, $params:tt => $columns:tt;)*) => {
        $(pub(crate) static $name: $crate::statement::Statement = $crate::statement::Statement {
            name: concat!(module_path!(), "::", stringify!($name)),
            sql: $sql,
            params: $crate::statement::types!($params),
            columns: $crate::statement::types!($columns),
        };)*
        pub(crate) static STATEMENTS: &[&$crate::statement::Statement] = &[$(&$name),*];
    };
}

/// A list of types, or the name of one that several statements share.
macro_rules! types {
    ([$($kind:ident),*]) => { &[$($crate::statement::Type::$kind),*] };
    ($list:ident) => { $list };
}

pub(crate) use {statements, types};

/// A value for a statement.
#[derive(Clone, Copy)]
pub(crate) enum Param<'a> {
    Null,
    Text(&'a str),
    Integer(i64),
    Boolean(bool),
    Decimal(Decimal),
    Date(Date),
    Uuid(Uuid),
    Bytes(&'a [u8]),
}

/// Values are private: a log may only show that there is one.
impl fmt::Debug for Param<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Param")
    }
}

impl Param<'_> {
    pub(crate) fn fits(&self, kind: Type) -> bool {
        match self {
            Param::Null => true,
            Param::Text(_) => kind == Type::Text,
            Param::Integer(_) => kind == Type::Integer,
            Param::Boolean(_) => kind == Type::Boolean,
            Param::Decimal(_) => kind == Type::Decimal,
            Param::Date(_) => kind == Type::Date,
            Param::Uuid(_) => kind == Type::Uuid,
            Param::Bytes(_) => kind == Type::Bytes,
        }
    }

    /// Whether they are written identically: `1.50` is not `1.5`.
    pub(crate) fn is_written_like(&self, other: &Param<'_>) -> bool {
        match (self, other) {
            (Param::Null, Param::Null) => true,
            (Param::Text(one), Param::Text(other)) => one == other,
            (Param::Integer(one), Param::Integer(other)) => one == other,
            (Param::Boolean(one), Param::Boolean(other)) => one == other,
            (Param::Decimal(one), Param::Decimal(other)) => one.serialize() == other.serialize(),
            (Param::Date(one), Param::Date(other)) => one == other,
            (Param::Uuid(one), Param::Uuid(other)) => one == other,
            _ => false,
        }
    }
}

impl<'a> From<&'a str> for Param<'a> {
    fn from(text: &'a str) -> Self {
        Param::Text(text)
    }
}

impl From<i64> for Param<'_> {
    fn from(integer: i64) -> Self {
        Param::Integer(integer)
    }
}

impl From<bool> for Param<'_> {
    fn from(boolean: bool) -> Self {
        Param::Boolean(boolean)
    }
}

impl From<Decimal> for Param<'_> {
    /// PostgreSQL has no negative zero, so SQLite must not store one either.
    fn from(mut decimal: Decimal) -> Self {
        if decimal.is_zero() {
            decimal.set_sign_positive(true);
        }
        Param::Decimal(decimal)
    }
}

impl From<Date> for Param<'_> {
    fn from(date: Date) -> Self {
        Param::Date(date)
    }
}

impl From<Uuid> for Param<'_> {
    fn from(uuid: Uuid) -> Self {
        Param::Uuid(uuid)
    }
}

impl<'a> From<&'a [u8]> for Param<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Param::Bytes(bytes)
    }
}

impl<'a, T: Into<Param<'a>>> From<Option<T>> for Param<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Param::Null, Into::into)
    }
}
