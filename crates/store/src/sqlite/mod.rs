//! The embedded engine: opens a database file safely.

pub(crate) mod backup;
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

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::Error;
use crate::error::{Bug, Damage, FileRole, SetupProblem};
use failure::{failure, io_failure};
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

/// The number of the schema that this program creates, on either engine.
pub(crate) fn known_schema() -> i64 {
    migrate::MIGRATIONS.len() as i64
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
    migrate::run(&mut writer, path, migrate::MIGRATIONS, migrate::Keep::OldState)?;
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

/// Creates an empty file that only its owner can read, or restricts the permissions of an existing one. The log files that SQLite
/// creates next to it inherit its permissions.
fn create_file(path: &Path) -> Result<(), Error> {
    let failed = |error: std::io::Error| io_failure(FileRole::Database, path, &error);
    match private_file(path) {
        Ok(_) => sync_folder_of(path).map_err(failed),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => make_private(path).map_err(failed),
        Err(error) => Err(failed(error)),
    }
}

/// SQLite takes an empty file for a new database and would delete its log. A log without its file is all that is left of an old
/// database.
fn refuse_emptied(path: &Path) -> Result<(), Error> {
    let is_empty = |path: &Path| fs::metadata(path).map_or(true, |about| about.len() == 0);
    // In this order: a process that creates a new database fills the file before the log.
    match !is_empty(&backup::sibling(path, "-wal")) && is_empty(path) {
        true => Err(Damage::CutOff { path: path.to_owned() }.into()),
        false => Ok(()),
    }
}

/// Creates a new file with mode 0600; fails if it exists.
fn private_file(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(unix)]
fn make_private(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = fs::metadata(path)?.permissions();
    match permissions.mode() & 0o077 {
        0 => Ok(()),
        _ => fs::set_permissions(path, fs::Permissions::from_mode(0o600)),
    }
}

#[cfg(not(unix))]
fn make_private(path: &Path) -> std::io::Result<()> {
    fs::metadata(path).map(drop)
}

/// A new file name is only durable once its folder is synced.
fn sync_folder_of(path: &Path) -> std::io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) && !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        Some(_) if cfg!(unix) => File::open(".")?.sync_all(),
        _ => Ok(()),
    }
}

/// A connection with the settings that all connections share; none of them changes the file.
fn connect(path: &Path) -> Result<Connection, Error> {
    let failed = |error| failure(path, error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(pool::WAIT).map_err(failed)?;
    // Otherwise a bound parameter can make SQLite plan a statement again on every run.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(failed)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true).map_err(failed)?;
    connection
        .execute_batch(
            "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; \
             PRAGMA mmap_size = 0; PRAGMA secure_delete = ON;",
        )
        .map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(256);
    Ok(connection)
}

fn connect_reader(path: &Path) -> Result<Connection, Error> {
    let connection = connect(path)?;
    // What does not fit into the cache (in KiB) is still in the system's page cache, which all connections share.
    connection.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -512").map_err(|error| failure(path, error))?;
    Ok(connection)
}

fn connect_writer(path: &Path) -> Result<Connection, Error> {
    let connection = connect(path)?;
    prepare_writer(&connection, path)?;
    Ok(connection)
}

fn prepare_writer(connection: &Connection, path: &Path) -> Result<(), Error> {
    let mode: String =
        connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)).map_err(|error| failure(path, error))?;
    match mode.as_str() {
        "wal" => Ok(()),
        _ => Err(SetupProblem::NoWriteAheadLog { path: path.to_owned() }.into()),
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
