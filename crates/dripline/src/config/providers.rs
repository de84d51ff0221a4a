//! Market-data providers in order of preference, with key, address and budget.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use app::Configured;
use app::market::sources::{Origin, PROVIDER_NAMES, ProviderConfig};

use super::file::ProviderTable;
use super::secret::Secret;
use crate::output::setting;

/// `list` has the names and where they are set; without it, the owner chooses in the web app. `files` is a provider without a
/// key; `DRIPLINE_FILES_URL` is its folder.
pub fn read(
    list: Option<(Origin, &str)>,
    tables: &BTreeMap<String, ProviderTable>,
    variable: &dyn Fn(&str) -> Option<String>,
    data_dir: &Path,
) -> anyhow::Result<Configured> {
    if let Some(stranger) = tables.keys().find(|name| !PROVIDER_NAMES.contains(&name.as_str())) {
        bail!(setting().provider_table(stranger, PROVIDER_NAMES.join(", ")));
    }
    let chosen = list.map(|(origin, list)| anyhow::Ok((origin, names(list)?))).transpose()?;
    let all = || PROVIDER_NAMES.iter().map(|name| (*name).to_owned()).collect();
    let possible: Vec<String> = chosen.as_ref().map_or_else(all, |(_, names)| names.clone());
    let read_one = |name: String| one(name.clone(), tables.get(&name).cloned().unwrap_or_default(), variable);
    let providers = possible.into_iter().map(read_one).collect::<anyhow::Result<Vec<_>>>()?;
    let folder = folder(&providers, data_dir);
    Ok(Configured { chosen, providers, folder })
}

fn names(list: &str) -> anyhow::Result<Vec<String>> {
    let names: Vec<String> = list.split(',').map(|name| name.trim().to_lowercase()).collect();
    if names == ["none"] {
        return Ok(Vec::new());
    }
    for (at, name) in names.iter().enumerate() {
        if !PROVIDER_NAMES.contains(&name.as_str()) {
            bail!(setting().provider_unknown(name, PROVIDER_NAMES.join(", ")));
        }
        if names[..at].contains(name) {
            bail!(setting().provider_twice(name));
        }
    }
    Ok(names)
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
fn folder(providers: &[ProviderConfig], data_dir: &Path) -> PathBuf {
    let named = providers.iter().find(|provider| provider.name == "files").and_then(|files| files.url.clone());
    named.map_or_else(|| data_dir.join("market"), |url| PathBuf::from(url.strip_prefix("file://").unwrap_or(&url)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_with(list: &str, variables: &[(&str, &str)]) -> anyhow::Result<Configured> {
        let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        read(Some((Origin::Variable, list)), &BTreeMap::new(), &variable, Path::new("data"))
    }

    #[test]
    fn providers_keep_the_order_they_are_named_in() {
        let variables = [
            ("DRIPLINE_FMP_KEY", "secret"),
            ("DRIPLINE_FMP_BUDGET", "300/100000"),
            ("DRIPLINE_YAHOO_URL", "http://127.0.0.1:1/y"),
        ];
        let configured = read_with("yahoo, FMP,ecb", &variables).unwrap();
        assert_eq!(configured.chosen, Some((Origin::Variable, ["yahoo", "fmp", "ecb"].map(str::to_owned).to_vec())));
        let of_name = |name| configured.providers.iter().find(|one| one.name == name).unwrap();
        assert_eq!(of_name("yahoo").url.as_deref(), Some("http://127.0.0.1:1/y"));
        let fmp = of_name("fmp");
        assert_eq!((fmp.key.as_deref(), fmp.budget.map(|budget| budget.per_day)), (Some("secret"), Some(100_000)));
        assert_eq!(configured.folder, Path::new("data/market"));
    }

    #[test]
    fn none_is_a_choice_and_no_setting_leaves_it_to_the_owner() {
        assert_eq!(read_with("none", &[]).unwrap().chosen, Some((Origin::Variable, Vec::new())));
        assert_eq!(read(None, &BTreeMap::new(), &|_| None, Path::new("data")).unwrap().chosen, None);
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
            let error = read_with(list, &variables).err().unwrap().to_string();
            assert!(error.contains(part), "{list}: {error}");
        }
    }
}
