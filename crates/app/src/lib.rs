//! Use cases shared by every front door: load from the store, compute with the ledger, hand back domain types.

mod account;
mod book;
mod clock;
mod error;
mod last_used;
mod lots;
mod profile;
mod rates;
mod search;
mod secret;
mod withholding;

pub mod accounts;
pub mod calendar;
pub mod demo;
pub mod dividends;
pub mod doctor;
pub mod export;
pub mod holdings;
pub mod import;
pub mod income;
pub mod market;
pub mod me;
pub mod portfolios;
pub mod radar;
pub mod stock;
pub mod tokens;
mod tracking;
pub mod upcoming;

use std::path::Path;

pub use clock::Clock;
pub use error::Error;
pub use store::{Session, Store};

/// The running service: its database, its clock, and what it keeps in memory.
pub struct App {
    pub store: Store,
    pub clock: Clock,
    profiles: profile::Profiles,
    rates: rates::Rates,
    search: stock::Search,
    last_used: last_used::LastUsed,
}

impl App {
    pub async fn open(data_dir: &Path, clock: Clock) -> Result<App, Error> {
        Ok(App::new(Store::open(data_dir).await?, clock))
    }

    pub fn new(store: Store, clock: Clock) -> App {
        App {
            store,
            clock,
            profiles: profile::Profiles::default(),
            rates: rates::Rates::default(),
            search: stock::Search::default(),
            last_used: last_used::LastUsed::default(),
        }
    }
}
