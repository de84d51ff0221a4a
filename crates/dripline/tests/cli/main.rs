//! The operator's commands through the real binary: what they print, where, with which exit code, and what they refuse.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

mod account_access;
mod accounts;
mod backtest;
mod canaries;
mod clients;
mod columns;
mod copying;
mod database;
mod denials;
mod disk_space;
mod docs;
mod draining;
mod dripline;
mod encryption;
mod exporting;
mod files;
mod fixes;
mod https;
mod identity;
mod importing;
mod instruments;
mod invalid_rows;
mod market;
mod portfolios;
mod providers;
mod radar;
mod redis;
mod remote_database;
mod served;
mod serving;
mod settings;
mod tokens;
#[cfg(feature = "otel")]
mod traces;
mod undoing;
mod usage;
