//! What nobody may read: from a variable or a flag, or from a file that holds it.

use std::path::Path;

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

impl Secret<'_> {
    pub fn read(self, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<Option<String>> {
        let name = self.name;
        let set = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let secret = match (set(self.given), set(variable(&format!("{name}_FILE")))) {
            (Some(_), Some(_)) => bail!("{name} and {name}_FILE are both set; keep one"),
            (Some(secret), None) => Some(secret),
            (None, Some(path)) => Some(content(Path::new(&path), name)?),
            (None, None) => match self.in_file_path {
                Some(path) => Some(content(path, name)?),
                None => set(self.in_file.map(str::to_owned)),
            },
        };
        Ok(secret.map(|secret| secret.trim().to_owned()))
    }
}

fn content(path: &Path, name: &str) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(path).with_context(|| format!("the file {} cannot be read", path.display()))?;
    if text.trim().is_empty() {
        bail!("the file {} is empty; it holds what {name} would say", path.display());
    }
    Ok(text)
}
