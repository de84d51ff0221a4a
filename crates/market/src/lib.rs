//! The outside world of prices and dividends. Today: the offline folder of CSV files.

pub mod files;
