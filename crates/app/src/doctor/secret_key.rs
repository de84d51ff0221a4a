//! The key that encrypts second factors, and old files in which they are not encrypted.

use super::{Check, Verdict};
use crate::encryption::{self, KeySource, Status};
use crate::{App, Error};

const NAME: &str = "secret key";

/// From this schema on second factors are encrypted.
const ENCRYPTED_SINCE: u32 = 9;

pub async fn check(app: &App) -> Result<Check, Error> {
    let found = match encryption::status(app).await {
        Ok(status) => judged(app, &status),
        Err(Error::SecretKey(error)) => (Verdict::Ill, error.to_string()),
        Err(error) => return Err(error),
    };
    Ok(super::check(NAME, found.0, found.1))
}

fn judged(app: &App, status: &Status) -> (Verdict, String) {
    let source = app.keyring.source();
    let place = match (source.path(), source) {
        (Some(path), _) => path.display().to_string(),
        (None, KeySource::Given(_)) => "DRIPLINE_SECRET_KEY".to_owned(),
        (None, _) => "none".to_owned(),
    };
    let Some(id) = &status.key_id else {
        return match status.secrets {
            0 => (Verdict::Well, "none is needed yet; `dripline serve` makes one when it starts".to_owned()),
            many => (Verdict::Warning, format!("{many} second factor(s) are not encrypted yet; start `dripline serve` once")),
        };
    };
    let lost = "until then their owners sign in with a recovery code; `dripline user factor EMAIL --off` turns one off";
    match (status.is_here, status.unreadable) {
        (false, 0) if app.store.file().is_some() => {
            (Verdict::Well, format!("the key {id} is not here, but nothing is encrypted with it"))
        }
        (false, unreadable) => {
            let remedy = app.keyring.remedy();
            (Verdict::Ill, format!("the key {id} is not here, and {unreadable} second factor(s) need it: {remedy}; {lost}"))
        }
        (true, 0) if source.path().is_some_and(|path| encryption::is_open_to_others(&path)) => {
            (Verdict::Warning, format!("others may read {place}; run chmod 600 on it, if nothing else protects it"))
        }
        (true, 0) => {
            let finding = format!("{} second factor(s) are encrypted with the key {id} of {place}", status.secrets);
            (Verdict::Well, format!("{finding}; no backup holds it, so keep a copy elsewhere"))
        }
        (true, unreadable) => {
            let finding =
                format!("{unreadable} of {} second factor(s) are encrypted with a key that is not here", status.secrets);
            (Verdict::Warning, format!("{finding}; if you find it, add it to {place} and run `dripline secret rotate`; {lost}"))
        }
    }
}

/// Kept beside the database by an upgrade.
pub fn old_copies(app: &App) -> Option<Check> {
    let file = app.store.file()?;
    let prefix = format!("{}.schema-", file.file_name()?.to_string_lossy());
    let old =
        |name: &str| name.strip_prefix(&prefix).is_some_and(|schema| schema.parse::<u32>().is_ok_and(|it| it < ENCRYPTED_SINCE));
    let names = std::fs::read_dir(file.parent()?).ok()?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let found: Vec<String> = names.filter(|name| old(name)).collect();
    let finding = format!(
        "{} is from before an upgrade, and its second factors are not encrypted; delete it once you are content with the upgrade",
        found.join(", ")
    );
    (!found.is_empty()).then(|| super::check("old copies", Verdict::Warning, finding))
}
