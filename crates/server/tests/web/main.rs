//! The web app: each test uses HTTP against the real service on a real database.
#![allow(clippy::unwrap_used)] // in a test the panic is the report

mod access;
mod account_deletion;
mod account_takeover;
mod csrf;
mod developers;
mod enumeration;
mod error_pages;
mod export;
mod feed;
mod figures;
mod fixture;
mod headers;
mod imports;
mod imports_concurrency;
mod imports_fixes;
mod imports_limits;
mod imports_questions;
mod ledger;
mod other_users_data;
mod pages;
mod passwords;
mod people;
mod portfolios;
mod profile;
mod public;
mod radar;
mod resets;
mod routes;
mod second_factor;
mod sessions;
mod settings;
mod shared;
mod stocks;
mod throttling;
mod unconfirmed_symbols;
