//! The web app as a browser meets it: each test goes through HTTP to the real service on a real database.
#![allow(clippy::unwrap_used)] // in a test the panic is the report

mod access;
mod csrf;
mod developers;
mod enumeration;
mod export;
mod feed;
mod figures;
mod fixture;
mod headers;
mod imports;
mod imports_crowd;
mod imports_limits;
mod imports_open;
mod leaving;
mod ledger;
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
mod strangers;
mod taken;
mod throttling;
mod unconfirmed;
