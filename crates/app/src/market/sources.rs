//! The sources of market data of this installation.

use std::path::PathBuf;

use market::{Ability, Market};
pub use market::{Budget, Config as ProviderConfig, Health, NAMES as PROVIDER_NAMES};

use crate::{Error, refusal};

/// The providers and the operator's folder of files, in one order of preference.
#[derive(Clone, Default)]
pub struct Sources {
    pub market: Market,
    /// Names in the operator's order, including `files`.
    pub order: Vec<String>,
    /// The watched folder, if `files` is among them.
    pub folder: Option<PathBuf>,
}

impl Sources {
    /// In the given order; `folder` is watched if `files` is among them.
    pub fn open(configs: &[ProviderConfig], folder: PathBuf) -> Result<Sources, Error> {
        let order: Vec<String> = configs.iter().map(|config| config.name.clone()).collect();
        let folder = order.iter().any(|name| name == "files").then_some(folder);
        Ok(Sources { market: market::open(configs).map_err(|error| refusal::Market::Settings { error })?, order, folder })
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
