//! Market-data providers in order of preference, with key, address and budget.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use app::market::sources::{PROVIDER_NAMES, ProviderConfig};

use super::file::ProviderTable;
use super::secret::Secret;
use crate::output::setting;

/// `files` is a provider without a key; `DRIPLINE_FILES_URL` is its folder.
pub fn read(
    list: Option<&str>,
    tables: &BTreeMap<String, ProviderTable>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> anyhow::Result<Vec<ProviderConfig>> {
    if let Some(stranger) = tables.keys().find(|name| !PROVIDER_NAMES.contains(&name.as_str())) {
        bail!(setting().provider_table(stranger, PROVIDER_NAMES.join(", ")));
    }
    let names: Vec<String> = list.unwrap_or("none").split(',').map(|name| name.trim().to_lowercase()).collect();
    if names == ["none"] {
        return Ok(Vec::new());
    }
    let mut providers: Vec<ProviderConfig> = Vec::new();
    for name in names {
        if !PROVIDER_NAMES.contains(&name.as_str()) {
            bail!(setting().provider_unknown(name, PROVIDER_NAMES.join(", ")));
        }
        if providers.iter().any(|known| known.name == name) {
            bail!(setting().provider_twice(name));
        }
        let table = tables.get(&name).cloned().unwrap_or_default();
        providers.push(one(name, table, variable)?);
    }
    Ok(providers)
}

fn one(name: String, table: ProviderTable, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<ProviderConfig> {
    let upper = name.to_uppercase();
    let set = |suffix: &str| variable(&format!("DRIPLINE_{upper}_{suffix}")).filter(|text| !text.trim().is_empty());
    let key = Secret {
        name: &format!("DRIPLINE_{upper}_KEY"),
        given: set("KEY"),
        in_file: table.key.as_deref(),
        in_file_path: table.key_file.as_deref(),
    }
    .read(variable)?;
    let budget = set("BUDGET").or(table.budget);
    let parsed = |text: String| text.parse().ok().with_context(|| setting().budget(format!("DRIPLINE_{upper}_BUDGET"), text));
    let budget = budget.map(parsed).transpose()?;
    Ok(ProviderConfig { key, url: set("URL").or(table.url), budget, name })
}

/// The folder that `files` watches: `DRIPLINE_FILES_URL` as a path or a file address, else `market` in the data folder.
pub fn folder(providers: &[ProviderConfig], data_dir: &Path) -> PathBuf {
    let named = providers.iter().find(|provider| provider.name == "files").and_then(|files| files.url.clone());
    named.map_or_else(|| data_dir.join("market"), |url| PathBuf::from(url.strip_prefix("file://").unwrap_or(&url)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_with(list: &str, variables: &[(&str, &str)]) -> anyhow::Result<Vec<ProviderConfig>> {
        let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        read(Some(list), &BTreeMap::new(), &variable)
    }

    #[test]
    fn providers_keep_the_order_they_are_named_in() {
        let variables = [
            ("DRIPLINE_FMP_KEY", "secret"),
            ("DRIPLINE_FMP_BUDGET", "300/100000"),
            ("DRIPLINE_YAHOO_URL", "http://127.0.0.1:1/y"),
        ];
        let providers = read_with("yahoo, FMP,ecb", &variables).unwrap();
        let names: Vec<&str> = providers.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["yahoo", "fmp", "ecb"]);
        assert_eq!(providers[0].url.as_deref(), Some("http://127.0.0.1:1/y"));
        assert_eq!(
            (providers[1].key.as_deref(), providers[1].budget.map(|budget| budget.per_day)),
            (Some("secret"), Some(100_000))
        );
    }

    #[test]
    fn without_a_provider_setting_or_with_none_there_is_no_provider() {
        assert!(read_with("none", &[]).unwrap().is_empty());
        assert!(read(None, &BTreeMap::new(), &|_| None).unwrap().is_empty());
    }

    #[test]
    fn an_invalid_provider_setting_is_named() {
        for (list, variables, part) in [
            ("google", vec![], "\"google\""),
            ("yahoo,yahoo", vec![], "twice"),
            ("none,yahoo", vec![], "\"none\""),
            ("fmp", vec![("DRIPLINE_FMP_BUDGET", "many")], "300/100000"),
            ("fmp", vec![("DRIPLINE_FMP_KEY", "a"), ("DRIPLINE_FMP_KEY_FILE", "b")], "Keep one"),
            ("fmp", vec![("DRIPLINE_FMP_KEY_FILE", "/nonexistent/key")], "/nonexistent/key"),
        ] {
            let error = read_with(list, &variables).unwrap_err().to_string();
            assert!(error.contains(part), "{list}: {error}");
        }
    }
}
