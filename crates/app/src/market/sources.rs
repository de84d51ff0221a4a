//! The sources of market data of this installation.

use std::path::PathBuf;

use market::{Ability, Market};
pub use market::{Budget, Config as ProviderConfig, Health, NAMES as PROVIDER_NAMES};
use store::service_settings::Setting;

use crate::{Error, refusal};

/// The providers and the operator's folder of files, in one order of preference.
#[derive(Clone, Default)]
pub struct Sources {
    pub market: Market,
    /// Names in order of preference, including `files`.
    pub order: Vec<String>,
    /// The watched folder, if `files` is among them.
    pub folder: Option<PathBuf>,
    pub origin: Origin,
    /// Chosen by the owner, but their key cannot be read.
    pub without_key: Vec<String>,
    /// The stored settings that they were opened from.
    pub(crate) stored: Vec<Setting>,
}

/// Where the choice of sources comes from. Flags take precedence over variables, those over the file, and that over the owner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Origin {
    Flag,
    Variable,
    File,
    Owner,
    /// Nobody chose.
    #[default]
    Unset,
}

impl Origin {
    /// Whether the operator chose, so that the owner cannot.
    pub fn is_configured(self) -> bool {
        matches!(self, Origin::Flag | Origin::Variable | Origin::File)
    }
}

/// The operator's settings. No `Debug`: the keys must not appear in a log.
#[derive(Clone, Default)]
pub struct Configured {
    /// The names in order of preference, and where they are set; `None` leaves the choice to the owner.
    pub chosen: Option<(Origin, Vec<String>)>,
    /// Key, address and budget of each provider that has one of them, whether or not it is chosen.
    pub providers: Vec<ProviderConfig>,
    /// Watched if `files` is chosen.
    pub folder: PathBuf,
}

impl Configured {
    /// Empty if the owner chooses.
    pub(crate) fn open(&self) -> Result<Sources, Error> {
        let Some((origin, names)) = &self.chosen else { return Ok(Sources::default()) };
        let configs: Vec<ProviderConfig> = names.iter().map(|name| self.provider(name)).collect();
        Sources::open(*origin, &configs, self.folder.clone())
    }

    pub(crate) fn provider(&self, name: &str) -> ProviderConfig {
        let configured = self.providers.iter().find(|config| config.name == name);
        configured.cloned().unwrap_or_else(|| ProviderConfig { name: name.to_owned(), ..ProviderConfig::default() })
    }
}

impl Sources {
    /// In the given order; `folder` is watched if `files` is among them.
    pub fn open(origin: Origin, configs: &[ProviderConfig], folder: PathBuf) -> Result<Sources, Error> {
        let order: Vec<String> = configs.iter().map(|config| config.name.clone()).collect();
        let folder = order.iter().any(|name| name == "files").then_some(folder);
        let market = market::open(configs).map_err(|error| refusal::Market::Settings { error })?;
        Ok(Sources { market, order, folder, origin, ..Sources::default() })
    }

    pub fn is_empty(&self) -> bool {
        self.market.is_empty() && self.folder.is_none()
    }

    /// Whether a provider's results follow ours in a search.
    pub fn can_search(&self) -> bool {
        self.market.can(Ability::Search)
    }

    pub fn health(&self) -> Vec<Health> {
        self.market.health()
    }

    /// Lower is more preferred. `None` is the operator's files; a provider that is not in the order comes last.
    pub(crate) fn rank(&self, provider: Option<&str>) -> usize {
        let name = provider.unwrap_or("files");
        self.order.iter().position(|one| one == name).unwrap_or(usize::MAX)
    }
}
