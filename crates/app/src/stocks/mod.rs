//! Stocks: their page, the search, who may see which, and the watchlist.

pub(crate) mod listed;
pub mod radar;
pub mod radar_view;
pub mod search;
pub mod stock;
pub mod stock_page;
pub(crate) mod stock_visibility;
pub(crate) mod symbol_lookup;
