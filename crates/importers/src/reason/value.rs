//! The data of reasons, as their texts need them.

use std::borrow::Cow;
use std::fmt;

use jiff::civil::Date;
use ledger::{Currency, Decimal, Kind, Ratio};

use super::Reason;

/// Something with a text in the message files.
pub trait Describe {
    /// Stays the same in all versions.
    fn code(&self) -> &'static str;

    /// The name of the text.
    fn text(&self) -> &'static str;

    /// Its variables.
    fn fields(&self) -> Vec<(&'static str, Value<'_>)>;

    /// The approximate size of its data on the heap.
    fn heap_bytes(&self) -> usize {
        let size = |(_, value): &(_, Value<'_>)| match value {
            Value::Text(text) => text.len(),
            Value::List(texts) => texts.iter().map(|text| text.len()).sum(),
            Value::Reasons(reasons) => reasons.iter().map(|reason| size_of_val(*reason) + reason.heap_bytes()).sum(),
            _ => 0,
        };
        self.fields().iter().map(size).sum()
    }
}

pub enum Value<'r> {
    Text(&'r str),
    Count(u64),
    Figure(Decimal),
    Date(Date),
    Ratio(Ratio),
    Currency(Currency),
    Kind(Kind),
    List(Vec<&'r str>),
    Reasons(Vec<&'r dyn Describe>),
}

/// In machine-readable form.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => write!(f, "\"{text}\""),
            Value::Count(count) => write!(f, "{count}"),
            Value::Figure(figure) => write!(f, "{figure}"),
            Value::Date(date) => write!(f, "{date}"),
            Value::Ratio(ratio) => write!(f, "{ratio}"),
            Value::Currency(currency) => write!(f, "{currency}"),
            Value::Kind(kind) => f.write_str(kind.word()),
            Value::List(texts) => write!(f, "[{}]", texts.join(", ")),
            Value::Reasons(reasons) => {
                let shown: Vec<String> = reasons.iter().map(|reason| in_short(*reason)).collect();
                write!(f, "[{}]", shown.join("; "))
            }
        }
    }
}

/// The code and the data, for tests and logs. People read the text of the message files.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_short(self))
    }
}

fn in_short(reason: &dyn Describe) -> String {
    let fields = reason.fields().into_iter().map(|(name, value)| format!(" {name}={value}"));
    std::iter::once(reason.code().to_owned()).chain(fields).collect()
}

/// A cell that cannot be read: its column and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    pub column: Box<str>,
    pub text: Box<str>,
}

impl Cell {
    /// Boxed, to keep reasons small.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(column: &str, text: &str) -> Box<Cell> {
        Box::new(Cell { column: column.into(), text: text.into() })
    }

    pub fn fields(&self) -> Vec<(&'static str, Value<'_>)> {
        vec![("column", Value::Text(&self.column)), ("text", Value::Text(&self.text))]
    }
}

/// A type of data in a reason.
pub trait Field {
    fn value(&self) -> Value<'_>;
}

macro_rules! fields {
    ($($type:ty: $field:ident => $value:expr,)*) => {
        $(impl Field for $type {
            fn value(&self) -> Value<'_> {
                let $field = self;
                $value
            }
        })*
    };
}

fields! {
    str: text => Value::Text(text),
    String: text => Value::Text(text),
    Cow<'static, str>: text => Value::Text(text),
    u64: count => Value::Count(*count),
    u32: count => Value::Count(u64::from(*count)),
    usize: count => Value::Count(*count as u64),
    Decimal: figure => Value::Figure(*figure),
    Date: date => Value::Date(*date),
    Ratio: ratio => Value::Ratio(*ratio),
    Currency: currency => Value::Currency(*currency),
    Kind: kind => Value::Kind(*kind),
    [&'static str]: texts => Value::List(texts.to_vec()),
    [String]: texts => Value::List(texts.iter().map(String::as_str).collect()),
    Reason: reason => Value::Reasons(vec![reason]),
}

impl<T: Field + ?Sized> Field for Box<T> {
    fn value(&self) -> Value<'_> {
        (**self).value()
    }
}

impl<T: Field + ?Sized> Field for &'static T {
    fn value(&self) -> Value<'_> {
        (**self).value()
    }
}

impl<T: Describe> Field for Vec<T> {
    fn value(&self) -> Value<'_> {
        Value::Reasons(self.iter().map(|reason| reason as &dyn Describe).collect())
    }
}
