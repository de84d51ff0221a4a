//! The operator's commands through the real binary: what they print, where, with which exit code, and what they refuse.
#![allow(clippy::unwrap_used)] // a test that cannot be set up should stop where it stands

mod accounts;
mod canaries;
mod clients;
mod columns;
mod copying;
mod database;
mod denials;
mod draining;
mod dripline;
mod encryption;
mod exporting;
mod far;
mod files;
mod https;
mod identity;
mod importing;
mod instruments;
mod joining;
mod lines;
mod market;
mod portfolios;
mod printed;
mod providers;
mod radar;
mod redis;
mod served;
mod serving;
mod settings;
mod space;
mod tokens;
#[cfg(feature = "otel")]
mod traces;
mod undoing;
