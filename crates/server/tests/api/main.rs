//! The contract, through the front door: each test goes through HTTP to the real service on a real database.
#![allow(clippy::unwrap_used)] // in a test the panic is the report

mod again;
mod caching;
mod calendar;
mod contract;
mod denials;
mod dividends;
mod errors;
mod fields;
mod holdings;
mod income;
mod income_sources;
mod kept;
mod limits;
mod me;
mod methods;
mod openapi;
mod parameters;
mod portfolios;
mod position_snapshot;
mod public;
mod search;
mod stocks;
mod tags;
mod tokens;
mod upcoming;
mod versioning;
mod watched;
