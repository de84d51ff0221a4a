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
    /// Addresses with a password. Better kept outside this file, in the one that `..._file` names.
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
    /// Better kept outside this file: `secret_key_file`.
    pub secret_key: Option<String>,
    pub secret_key_file: Option<PathBuf>,
    pub backup_every: Option<String>,
    pub backup_dir: Option<PathBuf>,
    pub backup_days: Option<u16>,
    pub sign_up: Option<String>,
    /// Better kept outside this file: `smtp_url_file`.
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
    pub messages: Option<PathBuf>,
}

/// The key is better kept outside this file: `key_file`.
#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields)]
pub struct ProviderTable {
    pub key: Option<String>,
    pub key_file: Option<PathBuf>,
    pub url: Option<String>,
    pub budget: Option<String>,
}

impl File {
    /// A named file must exist; the default one may be missing.
    pub fn read(named: Option<&Path>) -> anyhow::Result<File> {
        let path = named.unwrap_or(Path::new("dripline.toml"));
        match std::fs::read_to_string(path) {
            Ok(text) => File::parse(&text).map_err(|error| FileError { path: path.to_owned(), ..error }.into()),
            Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => Ok(File::default()),
            Err(error) => Err(error).with_context(|| crate::output::refusal().unreadable(path.display().to_string())),
        }
    }

    /// The error never repeats a value of the file, which may be a secret.
    pub fn parse(text: &str) -> Result<File, FileError> {
        toml::from_str(text).map_err(|error| describe(text, &error))
    }
}

/// Where the file is wrong and how, without the value itself, which may be a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    pub path: PathBuf,
    pub line: usize,
    /// Empty where the line sets nothing.
    pub setting: String,
    pub problem: FileProblem,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileProblem {
    KeyNotText,
    MailServerNotText,
    AddressNotText,
    /// In the parser's words.
    Syntax(String),
}

impl std::fmt::Display for FileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, line {}, {}: {:?}", self.path.display(), self.line, self.setting, self.problem)
    }
}

impl std::error::Error for FileError {}

fn describe(text: &str, error: &toml::de::Error) -> FileError {
    let start = error.span().map_or(0, |span| span.start);
    let number = text.bytes().take(start).filter(|byte| *byte == b'\n').count();
    let setting = text.lines().nth(number).and_then(|line| line.split_once('=')).map_or("", |(name, _)| name.trim());
    let problem = match setting {
        "key" | "secret_key" => FileProblem::KeyNotText,
        "smtp_url" => FileProblem::MailServerNotText,
        "database_url" | "database_replica_url" | "redis_url" => FileProblem::AddressNotText,
        _ => FileProblem::Syntax(without_value(error.message()).to_owned()),
    };
    FileError { path: PathBuf::new(), line: number + 1, setting: setting.to_owned(), problem }
}

/// "invalid type: integer `5`, expected a string" repeats the value, which may be a key in an inline table.
fn without_value(message: &str) -> &str {
    let names_it = message.starts_with("invalid type: ") || message.starts_with("invalid value: ");
    message.rsplit_once(", expected ").filter(|_| names_it).map_or(message, |(before, _)| &message[before.len() + 2..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_does_not_repeat_the_key_beside_it() {
        for text in [
            "[providers.fmp]\nkey = 314159265\n",
            "[providers.fmp]\nkey = 314159265x\n",
            "[providers.fmp]\nkye = \"314159265\"\n",
            "[providers.fmp]\nkey = \"314159265\n",
        ] {
            let error = File::parse(text).err().unwrap();
            assert!(error.line == 2 && error.setting.starts_with('k'), "{error}");
            assert!(!error.to_string().contains("314159265"), "{error}");
        }
    }

    #[test]
    fn an_error_does_not_repeat_the_key_however_the_table_is_written() {
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
            assert!(matches!(&error.problem, FileProblem::Syntax(words) if words.contains("expected ")), "{error}");
            assert!(!error.to_string().contains("314159265"), "{error}");
        }
    }

    #[test]
    fn an_error_does_not_repeat_an_address() {
        for name in ["database_url", "database_replica_url", "redis_url"] {
            let text = format!("drain_seconds = 5\n{name} = 314159265\n");
            let error = File::parse(&text).err().unwrap();
            assert_eq!((error.line, error.setting.as_str()), (2, name));
            assert_eq!(error.problem, FileProblem::AddressNotText);
        }
    }
}
