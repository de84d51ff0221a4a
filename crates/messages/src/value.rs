//! Fields of errors and findings as variables of a message.

use std::path::Path;

use jiff::Timestamp;
use jiff::civil::Date;
use ledger::Currency;

use crate::Value;

pub trait AsValue {
    fn as_value(&self) -> Value<'_>;
}

impl AsValue for str {
    fn as_value(&self) -> Value<'_> {
        self.into()
    }
}

impl AsValue for [String] {
    fn as_value(&self) -> Value<'_> {
        self.join(", ").into()
    }
}

impl AsValue for Path {
    fn as_value(&self) -> Value<'_> {
        self.display().to_string().into()
    }
}

macro_rules! as_value {
    ($how:ident: $($type:ty)+) => {
        $(impl AsValue for $type {
            fn as_value(&self) -> Value<'_> {
                self.$how().into()
            }
        })+
    };
}

as_value! { clone: Value<'_> u8 u16 u32 u64 usize i32 i64 }
as_value! { to_string: Currency Date Timestamp std::io::Error }
