//! Use cases shared by all front ends: load from the store, compute with the ledger, return domain types.

pub mod book;
mod clock;
mod error;
pub mod refusal;

pub mod accounts;
pub mod authentication;
pub mod automatic;
pub mod entries;
pub mod explain;
pub mod import;
pub mod income;
pub mod market;
pub mod matching;
pub mod oauth;
pub mod operations;
pub mod portfolios;
pub mod stocks;

use std::path::Path;
use std::sync::Arc;

use accounts::mail;
use authentication::{last_used, passwords};
use book::refresh::CurrentSnapshots;
use import::staged;
use market::{live, profile, rates};
use operations::{backups, disk, encryption, job_limit, jobs};
use reference::Reference;
use stocks::search;
use tokio::sync::watch;

pub use clock::Clock;
pub use error::{Error, NoSpace, Unreplayable, WorkingFile};
pub use market::refresh::{Cause, Outcome};
pub use market::sources::{Configured, Sources};
pub use refusal::Refusal;
pub use stocks::stock_visibility::{PublicHolders, Viewer};
pub use store::error as database_error;
pub use store::provenance::Provenance;
pub use store::providers::ProviderState;
pub use store::refreshes::{Overview, Refresh, Topic};
pub use store::rejected_values::{OPERATOR, RejectedValue};
pub use store::{
    Error as DatabaseError, Rule, Session, Store, TimeWaited, Versions, Work, copy, is_wait_budget_spent, postgres, times,
    wait_for_another,
};

/// The running service: its database, its clock, and its caches.
pub struct App {
    pub store: Store,
    pub clock: Clock,
    reference: Option<&'static Reference>,
    /// Replaced when the owner chooses others; jobs are notified.
    sources: watch::Sender<Arc<Sources>>,
    configured: Configured,
    profiles: profile::Profiles,
    rates: rates::Rates,
    current_snapshots: CurrentSnapshots,
    search: search::Search,
    last_used: last_used::LastUsed,
    plans: staged::Plans,
    job_limit: job_limit::JobLimit,
    receiving: Arc<staged::Receiving>,
    disk: disk::Limits,
    live: Arc<live::Live>,
    jobs: jobs::Jobs,
    hasher: passwords::Hasher,
    mail: Option<mail::Settings>,
    backups: backups::Backups,
    public_holders: PublicHolders,
    keyring: encryption::Keyring,
}

impl App {
    pub async fn open(data_dir: &Path, clock: Clock) -> Result<App, Error> {
        Ok(App::new(Store::open(data_dir).await?, clock))
    }

    /// With these sources of market data, whatever the owner chooses.
    pub fn with_sources(self, sources: Sources) -> App {
        App { sources: watch::Sender::new(Arc::new(sources)), ..self }
    }

    /// With the operator's settings for market data. If they leave the choice to the owner, [`market::choice::load`] reads it.
    pub fn with_configured_sources(self, configured: Configured) -> Result<App, Error> {
        let sources = configured.open()?;
        Ok(App { configured, ..self.with_sources(sources) })
    }

    /// The current sources of market data.
    pub fn sources(&self) -> Arc<Sources> {
        self.sources.borrow().clone()
    }

    /// With facts that count until better data arrives.
    pub fn with_reference(self, reference: &'static Reference) -> App {
        App {
            reference: Some(reference),
            rates: rates::Rates::with_base(&reference.rates),
            search: search::Search::with_reference(reference),
            ..self
        }
    }

    /// With or without a mail server.
    pub fn with_mail(self, mail: Option<mail::Settings>) -> App {
        App { mail, ..self }
    }

    /// With or without scheduled backups.
    pub fn with_backups(self, plan: Option<backups::Plan>) -> App {
        App { backups: backups::Backups::planned(plan), ..self }
    }

    /// With another number of holders from which a stock is public.
    pub fn with_public_holders(self, public_holders: PublicHolders) -> App {
        App { public_holders, ..self }
    }

    /// With the key that encrypts secrets in the database; without it, a key file next to the embedded database is used.
    pub fn with_secret_key(self, source: encryption::KeySource) -> App {
        App { keyring: encryption::Keyring::new(source), ..self }
    }

    /// With other than the usual limits on uploads and free space.
    pub fn with_disk(self, disk: disk::Limits) -> App {
        App { disk, ..self }
    }

    pub fn new(store: Store, clock: Clock) -> App {
        let folder = store.file().and_then(Path::parent).map(Path::to_owned);
        App {
            keyring: encryption::Keyring::new(folder.map_or(encryption::KeySource::Nowhere, encryption::KeySource::DataFolder)),
            store,
            clock,
            reference: None,
            sources: watch::Sender::new(Arc::default()),
            configured: Configured::default(),
            profiles: profile::Profiles::default(),
            rates: rates::Rates::default(),
            current_snapshots: CurrentSnapshots::default(),
            search: search::Search::default(),
            last_used: last_used::LastUsed::default(),
            plans: staged::Plans::default(),
            job_limit: job_limit::JobLimit::default(),
            receiving: Arc::default(),
            disk: disk::Limits::default(),
            live: Arc::default(),
            jobs: jobs::Jobs::default(),
            hasher: passwords::Hasher::default(),
            mail: None,
            backups: backups::Backups::default(),
            public_holders: PublicHolders::default(),
        }
    }
}
