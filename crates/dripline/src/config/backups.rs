//! Automatic backups of the embedded database.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use app::operations::backups::Plan;

use super::file::File;
use crate::output::setting;

const EVERY: &str = "1h";
const DAYS: u16 = 14;
const DAYS_MAX: u16 = 3_650;

/// None: no automatic backups. `embedded`: the server uses the embedded database.
pub fn read(
    file: &File,
    variable: &dyn Fn(&str) -> Option<String>,
    data_dir: &Path,
    embedded: bool,
) -> anyhow::Result<Option<Plan>> {
    let set = |name: &str, in_file: Option<String>| variable(name).filter(|text| !text.trim().is_empty()).or(in_file);
    let every = set("DRIPLINE_BACKUP_EVERY", file.backup_every.clone());
    if !embedded {
        return match every.as_deref() {
            None | Some("off") => Ok(None),
            Some(_) => bail!(setting().backups_of_server),
        };
    }
    let Some(every) = time(every.as_deref().unwrap_or(EVERY))? else { return Ok(None) };
    let days = set("DRIPLINE_BACKUP_DAYS", file.backup_days.map(|days| days.to_string()));
    let days = days.map_or(Ok(DAYS), |text| {
        let days = text.trim().parse().ok().filter(|days| (1..=DAYS_MAX).contains(days));
        days.with_context(|| setting().number("DRIPLINE_BACKUP_DAYS", text, 1, DAYS_MAX))
    })?;
    let folder = variable("DRIPLINE_BACKUP_DIR").filter(|text| !text.is_empty()).map(PathBuf::from).or(file.backup_dir.clone());
    Ok(Some(Plan { folder: folder.unwrap_or_else(|| data_dir.join("backups")), every, days }))
}

/// None for "off".
fn time(text: &str) -> anyhow::Result<Option<Duration>> {
    let text = text.trim();
    if text == "off" {
        return Ok(None);
    }
    let unit = text
        .chars()
        .last()
        .and_then(|unit| [('m', 60), ('h', 3_600), ('d', 86_400)].into_iter().find(|(known, _)| *known == unit));
    let seconds = unit.and_then(|(unit, seconds)| text.strip_suffix(unit)?.trim().parse::<u64>().ok()?.checked_mul(seconds));
    let seconds = seconds.filter(|seconds| (300..=30 * 86_400).contains(seconds));
    let seconds = seconds.with_context(|| setting().backup_every(text))?;
    Ok(Some(Duration::from_secs(seconds)))
}

/// As lines of `dripline.toml`.
pub fn print(plan: Option<&Plan>) -> String {
    let Some(Plan { folder, every, days }) = plan else { return "backup_every = \"off\"\n".to_owned() };
    let folder = toml::Value::String(folder.display().to_string());
    format!("backup_every = \"{}m\"\nbackup_dir = {folder}\nbackup_days = {days}\n", every.as_secs() / 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(every: &str, embedded: bool) -> anyhow::Result<Option<Plan>> {
        let variable = |name: &str| (name == "DRIPLINE_BACKUP_EVERY").then(|| every.to_owned());
        read(&File::default(), &variable, Path::new("data"), embedded)
    }

    #[test]
    fn the_embedded_database_is_backed_up_every_hour_by_default() {
        let usual = Plan { folder: PathBuf::from("data/backups"), every: Duration::from_secs(3_600), days: 14 };
        assert_eq!(plan("", true).unwrap(), Some(usual.clone()));
        assert_eq!(plan("5m", true).unwrap(), Some(Plan { every: Duration::from_secs(300), ..usual }));
        assert_eq!(plan("off", true).unwrap(), None);
        for wrong in ["4m", "31d", "1", "h", "-1h", "1y", "é"] {
            assert!(plan(wrong, true).unwrap_err().to_string().contains("from 5m to 30d"), "{wrong}");
        }
    }

    #[test]
    fn a_server_is_backed_up_by_its_own_tools() {
        assert_eq!((plan("", false).unwrap(), plan("off", false).unwrap()), (None, None));
        assert!(plan("1h", false).unwrap_err().to_string().contains("its own tools"));
    }
}
