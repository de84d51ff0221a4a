//! `dripline.toml`.

use std::collections::BTreeMap;
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
    /// Addresses with a password: in the file itself they are possible; `..._file` keeps them out of it.
    pub database_url: Option<String>,
    pub database_url_file: Option<PathBuf>,
    pub database_replica_url: Option<String>,
    pub database_replica_url_file: Option<PathBuf>,
    pub database_connections: Option<u64>,
    pub database_pooler: Option<String>,
    pub database_ca: Option<PathBuf>,
    pub redis_url: Option<String>,
    pub redis_url_file: Option<PathBuf>,
    pub redis_ca: Option<PathBuf>,
    pub drain_seconds: Option<u64>,
    /// In the file itself it is possible; `secret_key_file` keeps it out of it.
    pub secret_key: Option<String>,
    pub secret_key_file: Option<PathBuf>,
    pub backup_every: Option<String>,
    pub backup_dir: Option<PathBuf>,
    pub backup_days: Option<u16>,
    pub sign_up: Option<String>,
    /// In the file itself it is possible; `smtp_url_file` keeps it out of it.
    pub smtp_url: Option<String>,
    pub smtp_url_file: Option<PathBuf>,
    pub mail_from: Option<String>,
    pub provider: Option<String>,
    /// One table per provider: `[providers.fmp]`.
    #[serde(default)]
    pub providers: BTreeMap<String, ProviderTable>,
    pub metrics_listen: Option<String>,
    pub tls_cert: Option<PathBuf>,
    pub tls_key: Option<PathBuf>,
    pub connections_per_client: Option<u64>,
    pub requests_at_once: Option<u64>,
    pub public_holders: Option<u64>,
    pub upload_quota_mib: Option<u64>,
    pub disk_reserve_mib: Option<u64>,
}

/// A key in the file itself is possible; `key_file` keeps it out of it.
#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields)]
pub struct ProviderTable {
    pub key: Option<String>,
    pub key_file: Option<PathBuf>,
    pub url: Option<String>,
    pub budget: Option<String>,
}

impl File {
    /// A file that was named has to be there; the usual one need not.
    pub fn read(named: Option<&Path>) -> anyhow::Result<File> {
        let path = named.unwrap_or(Path::new("dripline.toml"));
        match std::fs::read_to_string(path) {
            Ok(text) => File::parse(&text).map_err(|told| anyhow::anyhow!("{} cannot be used: {told}", path.display())),
            Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => Ok(File::default()),
            Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
        }
    }

    /// What is wrong is described without any value of the file.
    pub fn parse(text: &str) -> Result<File, String> {
        toml::from_str(text).map_err(|error| describe(text, &error))
    }
}

/// Where and what, without the value itself, which may be a key.
fn describe(text: &str, error: &toml::de::Error) -> String {
    let start = error.span().map_or(0, |span| span.start);
    let number = text.bytes().take(start).filter(|byte| *byte == b'\n').count();
    let setting = text.lines().nth(number).and_then(|line| line.split_once('=')).map_or("", |(name, _)| name.trim());
    let what = match setting {
        "key" | "secret_key" => "a key is text in quotes, such as key = \"…\"",
        "smtp_url" => "the mail server's address is text in quotes",
        "database_url" | "database_replica_url" | "redis_url" => "the address is text in quotes",
        _ => without_value(error.message()),
    };
    let setting = if setting.is_empty() { String::new() } else { format!(", {setting}") };
    format!("line {}{setting}: {what}", number + 1)
}

/// "invalid type: integer `5`, expected a string" names the value: of an inline table that may be a key, too.
fn without_value(message: &str) -> &str {
    let names_it = message.starts_with("invalid type: ") || message.starts_with("invalid value: ");
    message.rsplit_once(", expected ").filter(|_| names_it).map_or(message, |(before, _)| &message[before.len() + 2..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_in_the_file_never_shows_the_key_on_its_line() {
        for text in [
            "[providers.fmp]\nkey = 314159265\n",
            "[providers.fmp]\nkey = 314159265x\n",
            "[providers.fmp]\nkye = \"314159265\"\n",
            "[providers.fmp]\nkey = \"314159265\n",
        ] {
            let error = File::parse(text).err().unwrap();
            assert!(error.starts_with("line 2, k") && !error.contains("314159265"), "{error}");
        }
    }

    #[test]
    fn an_error_in_the_file_never_shows_the_key_in_any_toml_form() {
        for text in [
            "providers = { fmp = { key = 314159265 } }\n",
            "[providers]\nfmp = { key = 314159265 }\n",
            "providers.fmp.key = 314159265\n",
            "[providers.fmp]\n\"key\" = 314159265\n",
            "[providers.fmp]\n'key' = [314159265]\n",
            "providers = 314159265\n",
            "backup_days = 314159265\n",
        ] {
            let error = File::parse(text).err().unwrap();
            assert!(error.starts_with("line ") && error.contains("expected ") && !error.contains("314159265"), "{error}");
        }
    }

    #[test]
    fn an_error_in_an_address_never_shows_the_address() {
        for name in ["database_url", "database_replica_url", "redis_url"] {
            let text = format!("drain_seconds = 5\n{name} = 314159265\n");
            let error = File::parse(&text).err().unwrap();
            assert_eq!(error, format!("line 2, {name}: the address is text in quotes"));
        }
    }
}
