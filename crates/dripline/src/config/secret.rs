//! What nobody may read: from a variable or a flag, or from a file that holds it.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// Where a secret may be said.
pub struct Secret<'a> {
    /// Of the variable; the one of its file ends in `_FILE`.
    pub name: &'a str,
    pub given: Option<String>,
    /// In `dripline.toml`: itself, and the file that holds it.
    pub in_file: Option<&'a str>,
    pub in_file_path: Option<&'a Path>,
}

/// Where it was said.
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

    /// Without reading the file that holds it.
    pub fn find(self, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<Option<Found>> {
        let name = self.name;
        let set = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        Ok(match (set(self.given), set(variable(&format!("{name}_FILE")))) {
            (Some(_), Some(_)) => bail!("{name} and {name}_FILE are both set; keep one"),
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
    let text = std::fs::read_to_string(path).with_context(|| format!("the file {} cannot be read", path.display()))?;
    if text.trim().is_empty() {
        bail!("the file {} is empty; it holds what {name} would say", path.display());
    }
    Ok(text)
}
