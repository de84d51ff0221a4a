//! The only SQL. Callers get rows and plain functions, one file per table, and do not know which engine is used.

pub mod copy;
pub mod error;
mod look_ups;
mod migrations;
pub mod name_key;
pub mod postgres;
mod row;
mod sqlite;
pub mod statement;
pub mod statements;
mod store;
mod table;
mod tables;
pub mod times;
mod tx;
mod value;
mod write_lock;

pub mod accruals;
pub mod audit;
pub mod column_maps;
pub mod deleted_entries;
pub mod deletion;
pub mod devices;
pub mod dividends;
pub mod email_changes;
pub mod encryption_keys;
pub mod entries;
pub mod feeds;
pub mod fx_rates;
pub mod imports;
pub mod instruments;
pub mod invitations;
pub mod leases;
pub mod mail_links;
pub mod oauth;
pub mod payment_decisions;
pub mod portfolios;
pub mod positions;
pub mod prices;
pub mod provenance;
pub mod providers;
pub mod radar;
pub mod refreshes;
pub mod reinvest_rules;
pub mod rejected_values;
pub mod resets;
pub mod service_settings;
pub mod sessions;
pub mod sign_in_failures;
pub mod splits;
pub mod stocks;
pub mod tokens;
pub mod totp;
pub mod tracking;
pub mod uploads;
pub mod users;
pub mod versions;

use std::pin::Pin;

pub use error::{Error, Rule};
pub use look_ups::{Session, Versions};
pub use postgres::inspect::ServerCondition;
pub use postgres::{TimeWaited, is_wait_budget_spent, wait_for_another};
pub use sessions::Visit;
pub use sqlite::inspect::FileCondition;
pub use store::{Condition, Store};
pub use tx::Tx;
pub use write_lock::WriteLock;

/// Long work, compiled once in the crate that starts it; callers of an `async fn` would compile it again.
pub type Work<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
