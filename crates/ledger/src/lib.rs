//! Dividend calculations: exact and pure, without files, networks or clocks (`today` is an argument).

pub mod backtest;
mod currency;
mod dates;
mod entry;
mod ex_dates;
pub mod expected;
pub mod explain;
mod facts;
mod forward;
mod frequency;
pub mod fx;
mod growth;
mod history;
mod holding;
mod income;
mod income_year;
pub mod likely;
pub mod money;
mod number;
mod own;
mod payer_kind;
mod position;
mod projection;
pub mod purchase;
pub mod received;
mod reinvestment;
mod root;
mod safety;
mod scores;
mod share;
mod shares_held;
mod stock;
mod target;
mod to_come;
pub mod upcoming;
pub mod valuation;
pub mod withholding;
mod yields;

pub use currency::{Currency, QuoteUnit, UnknownCurrency};
pub use entry::{Dividend, Entry, Event, Kind, Ratio, Split, Trade};
pub use facts::Facts;
pub use frequency::Frequency;
pub use fx::Fx;
pub use growth::YearPaid;
pub use history::{History, MarketDividend, Payment, USUAL_LAG_DAYS};
pub use holding::{Basis, Holding};
pub use income::{Coverage, Income, Source, income};
pub use income_year::IncomeYear;
pub use likely::Likely;
pub use money::{Money, Overflow, shares_text};
pub use own::{OwnPart, own_dividends};
pub use payer_kind::PayerKind;
pub use position::{
    Oversell, Position, ReplayError, SharesMissing, misfits, possible_splits, rates_asked, replay, shares_before, shares_grown,
    shares_missing, shares_paid, unrecorded_splits,
};
pub use projection::Year;
pub use reinvestment::{Reinvestment, reinvestment};
pub use rust_decimal::Decimal;
pub use safety::{Check, Outcome, Reason, Safety};
pub use scores::Scores;
pub use share::{share, share_pct};
pub use shares_held::SharesHeld;
pub use stock::{Metrics, metrics, yield_on_cost_pct};
pub use target::Target;
pub use valuation::Valuation;
