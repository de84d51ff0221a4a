//! Use cases shared by every front door: load from the store, compute with the ledger, hand back domain types.

mod account;
mod book;
mod clock;
mod error;
mod last_used;
pub mod live;
mod lots;
mod newcomer;
mod profile;
mod rates;
mod refresh;
mod secret;
pub mod sources;
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
pub mod jobs;
pub mod market;
pub mod me;
pub mod portfolios;
pub mod radar;
pub mod search;
pub mod stock;
pub mod tokens;
mod tracking;
pub mod upcoming;

use std::path::Path;
use std::sync::Arc;

pub use clock::Clock;
pub use error::Error;
pub use refresh::Outcome;
pub use sources::Sources;
pub use store::held_back::HeldBack;
pub use store::provenance::Provenance;
pub use store::providers::ProviderState;
pub use store::refreshes::{Overview, Refresh, Topic};
pub use store::{Session, Store, Versions};

/// The running service: its database, its clock, and what it keeps in memory.
pub struct App {
    pub store: Store,
    pub clock: Clock,
    pub sources: Sources,
    profiles: profile::Profiles,
    rates: rates::Rates,
    search: search::Search,
    last_used: last_used::LastUsed,
    live: Arc<live::Live>,
    jobs: jobs::Jobs,
}

impl App {
    pub async fn open(data_dir: &Path, clock: Clock) -> Result<App, Error> {
        Ok(App::new(Store::open(data_dir).await?, clock))
    }

    /// With providers of market data, or a watched folder of it.
    pub fn with_sources(self, sources: Sources) -> App {
        App { sources, ..self }
    }

    pub fn new(store: Store, clock: Clock) -> App {
        App {
            store,
            clock,
            sources: Sources::default(),
            profiles: profile::Profiles::default(),
            rates: rates::Rates::default(),
            search: search::Search::default(),
            last_used: last_used::LastUsed::default(),
            live: Arc::default(),
            jobs: jobs::Jobs::default(),
        }
    }
}
