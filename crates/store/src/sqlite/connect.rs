//! Opens connections and creates files, with the settings and permissions that all of them share.

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::failure::{failure, io_failure};
use crate::Error;
use crate::error::{FileRole, SetupProblem};

/// How long a transaction waits for the writer before it fails because the database is busy.
pub(super) const WAIT: Duration = Duration::from_secs(5);

/// Creates an empty file that only its owner can read, or restricts the permissions of an existing one. The log files that SQLite
/// creates next to it inherit its permissions.
pub(super) fn create_file(path: &Path) -> Result<(), Error> {
    let failed = |error: std::io::Error| io_failure(FileRole::Database, path, &error);
    match private_file(path) {
        Ok(_) => sync_folder_of(path).map_err(failed),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => make_private(path).map_err(failed),
        Err(error) => Err(failed(error)),
    }
}

/// Creates a new file with mode 0600; fails if it exists.
pub(super) fn private_file(path: &Path) -> std::io::Result<File> {
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
pub(super) fn sync_folder_of(path: &Path) -> std::io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) && !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        Some(_) if cfg!(unix) => File::open(".")?.sync_all(),
        _ => Ok(()),
    }
}

/// A connection with the settings that all connections share; none of them changes the file.
pub(super) fn connect(path: &Path) -> Result<Connection, Error> {
    let failed = |error| failure(path, error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(WAIT).map_err(failed)?;
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

pub(super) fn connect_reader(path: &Path) -> Result<Connection, Error> {
    let connection = connect(path)?;
    // What does not fit into the cache (in KiB) is still in the system's page cache, which all connections share.
    connection.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -512").map_err(|error| failure(path, error))?;
    Ok(connection)
}

pub(super) fn connect_writer(path: &Path) -> Result<Connection, Error> {
    let connection = connect(path)?;
    prepare_writer(&connection, path)?;
    Ok(connection)
}

pub(super) fn prepare_writer(connection: &Connection, path: &Path) -> Result<(), Error> {
    let mode: String =
        connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)).map_err(|error| failure(path, error))?;
    match mode.as_str() {
        "wal" => Ok(()),
        _ => Err(SetupProblem::NoWriteAheadLog { path: path.to_owned() }.into()),
    }
}

pub(super) fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
