//! All providers, one entry each.

use std::sync::Arc;

use url::Url;

use crate::chain::Market;
use crate::ecb::Ecb;
use crate::http_client::{Budget, HttpClient};
use crate::provider::Provider;
use crate::yahoo::Yahoo;

/// The settings for one provider. No `Debug`: the key must not appear in a log.
#[derive(Clone, Default)]
pub struct Config {
    pub name: String,
    pub key: Option<String>,
    /// Replaces the provider's own address: a proxy or a replay server.
    pub url: Option<String>,
    pub budget: Option<Budget>,
}

/// Provider settings that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigError {
    UnknownProvider {
        name: String,
    },
    KeyMissing {
        provider: &'static str,
    },
    MalformedUrl {
        provider: &'static str,
    },
    /// TLS could not be set up.
    HttpClient {
        cause: String,
    },
}

struct Entry {
    name: &'static str,
    url: &'static str,
    needs_key: bool,
    budget: Budget,
    open: fn(HttpClient, String) -> Arc<dyn Provider>,
}

const fn budget(per_minute: u32, per_day: u32) -> Budget {
    Budget { per_minute, per_day }
}

const PROVIDERS: &[Entry] = &[
    Entry {
        name: "yahoo",
        url: "https://query1.finance.yahoo.com",
        needs_key: false,
        budget: budget(60, 20_000),
        open: |http_client, _| Arc::new(Yahoo::new(http_client)),
    },
    Entry {
        name: "ecb",
        url: "https://www.ecb.europa.eu/stats/eurofxref",
        needs_key: false,
        budget: budget(10, 200),
        open: |http_client, _| Arc::new(Ecb::new(http_client)),
    },
    Entry {
        name: "fmp",
        url: "https://financialmodelingprep.com/stable",
        needs_key: true,
        budget: budget(60, 250),
        open: crate::fmp::open,
    },
    Entry {
        name: "alphavantage",
        url: "https://www.alphavantage.co",
        needs_key: true,
        budget: budget(5, 25),
        open: crate::alphavantage::open,
    },
    Entry {
        name: "eodhd",
        url: "https://eodhd.com/api",
        needs_key: true,
        // The budget of the free plan.
        budget: budget(60, 20),
        open: crate::eodhd::open,
    },
];

/// All names that a configuration may use, including the offline folder.
pub const NAMES: &[&str] = &["yahoo", "fmp", "alphavantage", "eodhd", "ecb", "files"];

/// Whether the provider answers nobody without a key.
pub fn needs_key(name: &str) -> bool {
    PROVIDERS.iter().any(|entry| entry.name == name && entry.needs_key)
}

/// The providers in this order. The offline folder is not among them, because it is loaded and not asked.
pub fn open(configs: &[Config]) -> Result<Market, ConfigError> {
    let asked = configs.iter().filter(|config| config.name != "files");
    Ok(Market::new(asked.map(open_one).collect::<Result<_, _>>()?))
}

fn open_one(config: &Config) -> Result<Arc<dyn Provider>, ConfigError> {
    let entry = PROVIDERS
        .iter()
        .find(|entry| entry.name == config.name)
        .ok_or_else(|| ConfigError::UnknownProvider { name: config.name.clone() })?;
    if entry.needs_key && config.key.is_none() {
        return Err(ConfigError::KeyMissing { provider: entry.name });
    }
    let address = config.url.as_deref().unwrap_or(entry.url);
    let url = Url::parse(address)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
        .ok_or(ConfigError::MalformedUrl { provider: entry.name })?;
    let agent = concat!("Mozilla/5.0 (compatible; dripline/", env!("CARGO_PKG_VERSION"), ")");
    let http_client = HttpClient::new(entry.name, url, config.budget.unwrap_or(entry.budget), agent)
        .map_err(|error| ConfigError::HttpClient { cause: error.to_string() })?;
    Ok((entry.open)(http_client, config.key.clone().unwrap_or_default()))
}
