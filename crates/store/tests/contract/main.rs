//! What every engine of the store must do, on a real database.

#![allow(clippy::unwrap_used)]

mod accounts;
mod audit;
mod backup;
mod cached_lookups;
mod damage;
mod deleted_entries;
mod dividends;
mod import_data;
mod leases;
mod ledger;
mod listing;
mod many_rows;
mod market;
mod oauth;
mod opening;
mod payment_decisions;
mod portfolios;
mod positions;
mod provenance;
mod providers;
mod refresh_overview;
mod refreshes;
mod reinvest_rules;
mod rejected_values;
mod restore;
mod sample;
mod secrets;
mod sessions;
mod statements;
mod stock_versions;
mod tracking;
mod transactions;
