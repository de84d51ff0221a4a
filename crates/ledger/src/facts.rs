//! Market data of one stock.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::{Currency, MarketDividend, Split};

/// Amounts are in the trading currency, except dividends, which have their own.
#[derive(Clone, PartialEq, Debug)]
pub struct Facts {
    pub currency: Currency,
    pub dividends: Vec<MarketDividend>,
    pub splits: Vec<Split>,
    /// Adjusted for splits, not for dividends; in any order.
    pub closes: Vec<(Date, Decimal)>,
    pub price: Option<Decimal>,
    /// The provider's own, per share and year.
    pub forward_rate: Option<Decimal>,
    /// Fraction of earnings.
    pub payout_ratio: Option<Decimal>,
    /// Free cash flow ÷ dividends.
    pub fcf_cover: Option<Decimal>,
    pub pe: Option<Decimal>,
    pub ma50: Option<Decimal>,
    pub ma200: Option<Decimal>,
    pub low52: Option<Decimal>,
    pub high52: Option<Decimal>,
    /// The provider's own, in percent.
    pub yield_avg_5y_pct: Option<Decimal>,
    pub fund: bool,
    /// REITs and utilities pay out more of their earnings before it is a warning.
    pub lenient_payout: bool,
}
