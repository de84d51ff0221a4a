//! `dripline.toml`.

use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Deserialize;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub struct File {
    pub data_dir: Option<PathBuf>,
    pub listen: Option<String>,
    pub base_url: Option<String>,
    pub trusted_proxies: Option<Vec<String>>,
    pub now: Option<String>,
    pub database_url: Option<String>,
    pub redis_url: Option<String>,
    pub provider: Option<String>,
    pub tls_cert: Option<PathBuf>,
}

impl File {
    /// A file that was named has to be there; the usual one need not.
    pub fn read(named: Option<&Path>) -> anyhow::Result<File> {
        let path = named.unwrap_or(Path::new("dripline.toml"));
        match std::fs::read_to_string(path) {
            Ok(text) => toml::from_str(&text).with_context(|| format!("{} cannot be used", path.display())),
            Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => Ok(File::default()),
            Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
        }
    }
}
