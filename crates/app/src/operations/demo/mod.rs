//! The demo's data, as the same files that an operator would load: market files and a ledger, generated for the given day.
//!
//! Real: symbols, names, exchanges, ISINs, sectors, the months and frequency of payments. Close to reality in 2026, as far as
//! known when it was written: the latest dividends and the magnitude of prices. Merely plausible: exact days, steady growth
//! instead of yearly decisions, prices and exchange rates in between (smooth waves around the level of September 2026), payout
//! and earnings ratios, and the whole ledger. The split of [`SPLIT`] took place, but on another day: it moves with today so that
//! it always falls inside the time the position is held.
//!
//! The same day gives the same text: no clock, no randomness.

mod days;
mod dividends;
mod fx;
mod install;
mod ledger_rows;
mod level;
mod market_rows;
mod plan;
mod stocks;

use jiff::civil::Date;

pub use install::{Demo, install};

pub const EMAIL: &str = "demo@dripline.local";
pub const NAME: &str = "Demo";
/// Not a secret: the demo's database contains nothing else and is thrown away.
pub const PASSWORD: &str = "every-month-a-payment";
pub const CURRENCY: &str = "EUR";
pub const RESIDENCE: &str = "ES";

/// The portfolios in the user's order; the ledger begins with the first one, which makes it the default.
pub const PORTFOLIOS: [&str; 2] = [plan::CORE, plan::INCOME];

pub const SHARED_PORTFOLIO: &str = plan::INCOME;
pub const SHARED_SLUG: &str = "income-demo";

/// Watched, not held.
pub const RADAR: [&str; 5] = ["MSFT", "PEP", "RY.TO", "ZURN.SW", "JEPI"];

/// Symbol, new shares per old share, and how many days before today.
const SPLIT: (&str, i64, i32) = ("AVGO", 10, 620);

pub struct Files {
    /// File name and text of each offline market file.
    pub market: Vec<(&'static str, String)>,
    /// In Dripline's own ledger format, with portfolios.
    pub ledger: String,
    pub radar: Vec<&'static str>,
}

/// Everything the demo loads on `today`.
pub fn files(today: Date) -> Files {
    let stocks = stocks::all();
    let histories: Vec<_> = stocks.iter().map(|stock| dividends::history(stock, today)).collect();
    let market = vec![
        ("stocks.csv", market_rows::stocks(&stocks, today)),
        ("dividends.csv", market_rows::dividends(&histories)),
        ("splits.csv", market_rows::splits(&histories)),
        ("prices.csv", market_rows::prices(&stocks, today)),
        ("fx.csv", fx::rates(today)),
    ];
    Files { market, ledger: ledger_rows::ledger(&histories, today), radar: RADAR.to_vec() }
}
