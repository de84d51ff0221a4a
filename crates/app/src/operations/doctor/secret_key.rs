//! The key that encrypts second factors, and old files in which they are not encrypted.

use super::{Check, Finding, KeyPlace, Verdict};
use crate::operations::encryption::{self, KeySource, Status};
use crate::{App, Error};

const NAME: &str = "secret key";

/// The first schema with encrypted second factors.
const ENCRYPTED_SINCE: u32 = 9;

pub async fn check(app: &App) -> Result<Check, Error> {
    let (verdict, finding) = match encryption::status(app).await {
        Ok(status) => judged(app, &status),
        Err(Error::SecretKey(error)) => (Verdict::Error, Finding::SecretKey(error)),
        Err(error) => return Err(error),
    };
    Ok(super::check(NAME, verdict, finding))
}

fn judged(app: &App, status: &Status) -> (Verdict, Finding) {
    let (source, secrets) = (app.keyring.source(), status.secrets);
    let place = match (source.path(), source) {
        (Some(path), _) => KeyPlace::File(path),
        (None, KeySource::Given(_)) => KeyPlace::Setting,
        (None, _) => KeyPlace::Nowhere,
    };
    let Some(key_id) = status.key_id.clone() else {
        return match secrets {
            0 => (Verdict::Ok, Finding::KeyNotNeeded),
            secrets => (Verdict::Warning, Finding::NotEncrypted { secrets }),
        };
    };
    match (status.is_here, status.unreadable) {
        (false, 0) if app.store.file().is_some() => (Verdict::Ok, Finding::KeyAbsentUnused { key_id }),
        (false, unreadable) => (Verdict::Error, Finding::KeyAbsent { key_id, unreadable, remedy: app.keyring.remedy() }),
        (true, 0) if source.path().is_some_and(|path| encryption::is_open_to_others(&path)) => {
            (Verdict::Warning, Finding::KeyOpenToOthers { place })
        }
        (true, 0) => (Verdict::Ok, Finding::KeyInUse { key_id, secrets, place }),
        (true, unreadable) => (Verdict::Warning, Finding::OtherKeyAbsent { unreadable, secrets, place }),
    }
}

/// Copies that an upgrade keeps next to the database.
pub fn old_copies(app: &App) -> Option<Check> {
    let file = app.store.file()?;
    let prefix = format!("{}.schema-", file.file_name()?.to_string_lossy());
    let old =
        |name: &str| name.strip_prefix(&prefix).is_some_and(|schema| schema.parse::<u32>().is_ok_and(|it| it < ENCRYPTED_SINCE));
    let names = std::fs::read_dir(file.parent()?).ok()?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let found: Vec<String> = names.filter(|name| old(name)).collect();
    (!found.is_empty()).then(|| super::check("old copies", Verdict::Warning, Finding::OldCopies { names: found }))
}
