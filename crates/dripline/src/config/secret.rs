//! Secrets: given directly by a variable or flag, or in a file.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::output::{refusal, setting};

/// Where a secret can be set.
pub struct Secret<'a> {
    /// Name of the variable; `_FILE` is appended for the one that names a file.
    pub name: &'a str,
    pub given: Option<String>,
    /// In `dripline.toml`: the secret, and the file that holds it.
    pub in_file: Option<&'a str>,
    pub in_file_path: Option<&'a Path>,
}

/// Where it was set.
pub enum Found {
    Itself(String),
    InFile(PathBuf),
}

impl Secret<'_> {
    pub fn read(self, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<Option<String>> {
        let name = self.name;
        let secret = match self.find(variable)? {
            Some(Found::Itself(secret)) => Some(secret),
            Some(Found::InFile(path)) => Some(content(&path, name)?),
            None => None,
        };
        Ok(secret.map(|secret| secret.trim().to_owned()))
    }

    /// Does not read the file.
    pub fn find(self, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<Option<Found>> {
        let name = self.name;
        let set = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        Ok(match (set(self.given), set(variable(&format!("{name}_FILE")))) {
            (Some(_), Some(_)) => bail!(setting().both_set(name)),
            (Some(secret), None) => Some(Found::Itself(secret)),
            (None, Some(path)) => Some(Found::InFile(path.into())),
            (None, None) => match self.in_file_path {
                Some(path) => Some(Found::InFile(path.to_owned())),
                None => set(self.in_file.map(str::to_owned)).map(Found::Itself),
            },
        })
    }
}

fn content(path: &Path, name: &str) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(path).with_context(|| refusal().unreadable(path.display().to_string()))?;
    if text.trim().is_empty() {
        bail!(setting().empty_file(path.display().to_string(), name));
    }
    Ok(text)
}
