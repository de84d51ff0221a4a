//! What every engine behind the store must do, on a real database file.

#![allow(clippy::unwrap_used)]

mod accounts;
mod audit;
mod backup;
mod damage;
mod dividends;
mod imported;
mod leases;
mod ledger;
mod many_rows;
mod market;
mod oauth;
mod opening;
mod portfolios;
mod positions;
mod provenance;
mod providers;
mod refresh_overview;
mod refreshes;
mod rejected_values;
mod remembered;
mod restore;
mod sample;
mod secrets;
mod sessions;
mod statements;
mod stock_versions;
mod tracking;
mod transactions;
