//! The arithmetic of dividends: exact, pure, and ignorant of files, networks and clocks (`today` is an argument).

mod currency;
mod entry;
mod forward;
mod frequency;
mod fx;
mod growth;
mod history;
mod income;
mod income_year;
pub mod money;
mod position;
mod projection;
mod root;
mod safety;
mod scores;
mod stock;
pub mod upcoming;
pub mod withholding;
mod yields;

pub use currency::{Currency, QuoteUnit, UnknownCurrency};
pub use entry::{Dividend, Entry, Event, Kind, Ratio, Split, Trade};
pub use frequency::Frequency;
pub use fx::Fx;
pub use history::{History, MarketDividend, Payment, USUAL_LAG_DAYS};
pub use income::{Holding, Income, Source, income};
pub use income_year::IncomeYear;
pub use money::{Money, Overflow, shares_text};
pub use position::{Oversell, Position, ReplayError, replay, shares_before};
pub use projection::Year;
pub use rust_decimal::Decimal;
pub use safety::{Reason, Safety};
pub use scores::Scores;
pub use stock::{Facts, Metrics, metrics};
