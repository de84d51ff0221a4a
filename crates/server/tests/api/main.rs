//! The API contract: each test uses HTTP against the real service on a real database.
#![allow(clippy::unwrap_used)] // in a test the panic is the report

mod audited;
mod automatic;
mod caching;
mod calendar;
mod contract;
mod denials;
mod dividends;
mod errors;
mod explain;
mod fields;
mod holdings;
mod income;
mod income_sources;
mod limits;
mod me;
mod methods;
mod openapi;
mod parameters;
mod portfolio_names;
mod portfolios;
mod public;
mod radar;
mod received;
mod request_metrics;
mod response_cache;
mod search;
mod snapshots;
mod status;
mod stocks;
mod tags;
mod tokens;
mod transactions;
mod upcoming;
mod valuation;
mod versioning;
