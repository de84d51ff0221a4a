//! The values of columns and parameters, and the Rust types they are read and written as.

use std::borrow::Cow;
use std::convert::identity;
use std::fmt;

use jiff::civil::Date;
use ledger::{Currency, Kind, QuoteUnit, Ratio};
use rust_decimal::Decimal;
use uuid::Uuid;

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

/// A value of a parameter or a column. Equal if they are indistinguishable; ordered, in keys, as both engines order them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Param<'a> {
    Null,
    Text(Cow<'a, str>),
    Integer(i64),
    Boolean(bool),
    /// With its scale: as decimals, `1.0` and `1.00` would be equal.
    Decimal([u8; 16]),
    Date(Date),
    Uuid(Uuid),
    Bytes(Cow<'a, [u8]>),
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

    /// For a value that outlives the connection it was read from.
    pub(crate) fn into_owned(self) -> Param<'static> {
        match self {
            Param::Null => Param::Null,
            Param::Text(text) => Param::Text(text.into_owned().into()),
            Param::Integer(integer) => Param::Integer(integer),
            Param::Boolean(boolean) => Param::Boolean(boolean),
            Param::Decimal(bytes) => Decimal::deserialize(bytes).into(),
            Param::Date(date) => Param::Date(date),
            Param::Uuid(uuid) => Param::Uuid(uuid),
            Param::Bytes(bytes) => Param::Bytes(bytes.into_owned().into()),
        }
    }
}

/// A Rust type that is the value of one column.
pub(crate) trait Column: Sized + Send {
    const TYPE: Type;

    /// `None` for a value that no version of this program writes.
    fn read(value: Param<'_>) -> Option<Self>;

    fn param(&self) -> Param<'_>;
}

impl<T: Column> Column for Option<T> {
    const TYPE: Type = T::TYPE;

    fn read(value: Param<'_>) -> Option<Self> {
        if let Param::Null = value { Some(None) } else { T::read(value).map(Some) }
    }

    fn param(&self) -> Param<'_> {
        self.as_ref().map_or(Param::Null, T::param)
    }
}

/// Types that a parameter holds: how they are put into it, and taken out of it.
macro_rules! plain {
    ($($type:ty: $kind:ident, $put:expr, $take:expr;)*) => {
        $(impl Column for $type {
            const TYPE: Type = Type::$kind;

            fn read(value: Param<'_>) -> Option<Self> {
                if let Param::$kind(value) = value { Some($take(value)) } else { None }
            }

            fn param(&self) -> Param<'_> {
                (*self).into()
            }
        }

        impl From<$type> for Param<'_> {
            fn from(value: $type) -> Self {
                Param::$kind($put(value))
            }
        })*
    };
}

plain! {
    i64: Integer, identity, identity;
    bool: Boolean, identity, identity;
    Date: Date, identity, identity;
    Uuid: Uuid, identity, identity;
    // PostgreSQL has no negative zero, so SQLite must not store one either.
    Decimal: Decimal, |value: Decimal| if value.is_zero() { value.abs() } else { value }.serialize(), Decimal::deserialize;
}

/// Types stored as text: how the text is read, and how it is written.
macro_rules! text {
    ($($type:ty: $read:expr, $write:expr;)*) => {
        $(impl $crate::value::Column for $type {
            const TYPE: $crate::value::Type = $crate::value::Type::Text;

            fn read(value: $crate::value::Param<'_>) -> Option<Self> {
                if let $crate::value::Param::Text(text) = value { $read(text.as_ref()) } else { None }
            }

            fn param(&self) -> $crate::value::Param<'_> {
                $crate::value::Param::Text($write(self).into())
            }
        })*
    };
}
pub(crate) use text;

text! {
    String: |text: &str| Some(text.to_owned()), String::as_str;
    // One per line.
    Vec<String>: |text: &str| Some(text.lines().map(str::to_owned).collect()), |lines: &Vec<String>| lines.join("\n");
    Currency: |code: &str| Currency::parse(code).ok(), Currency::code;
    QuoteUnit: |unit: &str| QuoteUnit::parse(unit).ok(), QuoteUnit::name;
    Kind: Kind::parse, |kind: &Kind| kind.word();
    Ratio: Ratio::parse, Ratio::to_string;
}

impl<const N: usize> Column for [u8; N] {
    const TYPE: Type = Type::Bytes;

    fn read(value: Param<'_>) -> Option<Self> {
        if let Param::Bytes(bytes) = value { bytes.as_ref().try_into().ok() } else { None }
    }

    fn param(&self) -> Param<'_> {
        self.as_slice().into()
    }
}

impl Column for Vec<u8> {
    const TYPE: Type = Type::Bytes;

    fn read(value: Param<'_>) -> Option<Self> {
        if let Param::Bytes(bytes) = value { Some(bytes.into_owned()) } else { None }
    }

    fn param(&self) -> Param<'_> {
        self.as_slice().into()
    }
}

impl<'a, T: Column> From<&'a T> for Param<'a> {
    fn from(value: &'a T) -> Self {
        value.param()
    }
}

impl<'a> From<&'a str> for Param<'a> {
    fn from(text: &'a str) -> Self {
        Param::Text(text.into())
    }
}

impl<'a> From<&'a [u8]> for Param<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Param::Bytes(bytes.into())
    }
}

impl<'a, T: Into<Param<'a>>> From<Option<T>> for Param<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Param::Null, Into::into)
    }
}
