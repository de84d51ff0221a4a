//! The embedded engine: opens a database file safely.

pub(crate) mod backup;
mod connect;
mod failure;
pub(crate) mod inspect;
pub(crate) mod lease;
mod look_up_cache;
mod migrate;
pub(crate) mod pool;
pub(crate) mod restore;
mod run;
mod soundness;
pub(crate) mod value;
mod wal_generation;

use std::fs::{self, DirBuilder};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::error::{Bug, Damage, FileRole};
use crate::migrations::SQLITE;
use connect::{connect, create_file, prepare_writer, sibling};
use failure::io_failure;
use pool::Pool;

const FILE: &str = "dripline.db";

/// Older versions of SQLite can lose the end of a write-ahead log when two connections write and checkpoint at the same time.
const OLDEST: i32 = 3_051_003;

pub(crate) fn file_in(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE)
}

pub(crate) fn create_folder(data_dir: &Path) -> Result<(), Error> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(data_dir).map_err(|error| io_failure(FileRole::DataFolder, data_dir, &error))
}

/// Opens or creates the file, refuses what it does not support, and migrates.
pub(crate) fn open(path: &Path) -> Result<Pool, Error> {
    check_library(rusqlite::version_number())?;
    create_file(path)?;
    refuse_emptied(path)?;
    let mut writer = connect(path)?;
    migrate::refuse_foreign(&writer, path)?;
    soundness::refuse_damaged(&mut writer, path, soundness::LOOK)?;
    prepare_writer(&writer, path)?;
    migrate::run(&mut writer, path, SQLITE, migrate::Keep::OldState)?;
    Ok(Pool::new(path.to_owned(), writer))
}

fn check_library(version: i32) -> Result<(), Error> {
    match version < OLDEST {
        true => {
            let found = format!("{}.{}.{}", version / 1_000_000, version / 1_000 % 1_000, version % 1_000);
            Err(Error::TooOldSqlite { found })
        }
        false => Ok(()),
    }
}

/// SQLite takes an empty file for a new database and would delete its log. A log without its file is all that is left of an old
/// database.
fn refuse_emptied(path: &Path) -> Result<(), Error> {
    let is_empty = |path: &Path| fs::metadata(path).map_or(true, |about| about.len() == 0);
    // In this order: a process that creates a new database fills the file before the log.
    match !is_empty(&sibling(path, "-wal")) && is_empty(path) {
        true => Err(Damage::CutOff { path: path.to_owned() }.into()),
        false => Ok(()),
    }
}

/// Runs long work on a separate thread, so that requests are still served.
pub(crate) async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => Err(Bug::WorkerFailed { cause: error.to_string() }.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_sqlite_version_that_can_damage_the_log_is_refused() {
        assert_eq!(check_library(3_051_002), Err(Error::TooOldSqlite { found: "3.51.2".to_owned() }));
        assert_eq!(check_library(3_040_001), Err(Error::TooOldSqlite { found: "3.40.1".to_owned() }));
        assert_eq!(check_library(3_051_003), Ok(()));
        assert_eq!(check_library(rusqlite::version_number()), Ok(()));
    }
}
