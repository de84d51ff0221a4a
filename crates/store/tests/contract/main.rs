//! What every engine behind the store must do, on a real database file.

#![allow(clippy::unwrap_used)]

mod accounts;
mod backup;
mod ledger;
mod market;
mod opening;
mod portfolios;
mod restore;
mod sample;
mod statements;
mod tracking;
mod transactions;
