//! The arithmetic of dividends: exact, pure, and ignorant of files, networks and clocks (`today` is an argument).

mod currency;
mod entry;
mod fx;
pub mod money;

pub use currency::{Currency, QuoteUnit, UnknownCurrency};
pub use entry::{Dividend, Entry, Event, Ratio, Split, Trade};
pub use fx::Fx;
pub use money::{Money, Overflow, shares_text};
pub use rust_decimal::Decimal;
