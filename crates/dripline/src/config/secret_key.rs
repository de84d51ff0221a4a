//! The key that encrypts secrets in the database.

use std::path::Path;

use anyhow::Context;
use app::operations::encryption::KeySource;

use super::file::File;
use super::secret::{Found, Secret};
use crate::output::setting;

pub fn read(file: &File, variable: &dyn Fn(&str) -> Option<String>, data_dir: &Path) -> anyhow::Result<KeySource> {
    let secret = Secret {
        name: "DRIPLINE_SECRET_KEY",
        given: variable("DRIPLINE_SECRET_KEY"),
        in_file: file.secret_key.as_deref(),
        in_file_path: file.secret_key_file.as_deref(),
    };
    Ok(match secret.find(variable)? {
        Some(Found::Itself(text)) => KeySource::Given(KeySource::parse(&text).with_context(|| setting().secret_key)?),
        Some(Found::InFile(path)) => KeySource::File(path),
        None => KeySource::DataFolder(data_dir.to_owned()),
    })
}

/// As lines of `dripline.toml`, without the key itself.
pub fn print(source: &KeySource) -> String {
    match source {
        KeySource::Given(_) => "# secret_key is set\n".to_owned(),
        KeySource::File(path) => format!("secret_key_file = {}\n", toml::Value::String(path.display().to_string())),
        KeySource::DataFolder(_) | KeySource::Nowhere => String::new(),
    }
}
