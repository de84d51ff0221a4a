//! Replaces the database with a backup, without a moment in which there is neither.

use std::fs;
use std::io;
use std::path::Path;

use rusqlite::Connection;

use super::backup::{clear, copy, overwrite};
use super::connect::{connect, connect_writer, create_file, sibling};
use super::failure::{failure, io_failure};
use super::migrate;
use crate::Error;
use crate::error::FileRole;
use crate::migrations::SQLITE;

/// Prepares a checked and migrated copy of the backup, then writes its pages over the database in one transaction. Never swaps
/// files: other processes have the file open, and a log left next to it would be read into the backup.
pub(crate) fn restore(backup: &Path, path: &Path) -> Result<(), Error> {
    fs::metadata(backup).map_err(|error| io_failure(FileRole::Backup, backup, &error))?;
    let prepared = sibling(path, ".restore");
    // A journal left by a crash would be read into the new copy.
    clear(&prepared).map_err(|error| io_failure(FileRole::RestoreLeftover, &prepared, &error))?;
    let restored = copy(backup, &prepared).and_then(|()| replace(&prepared, backup, path));
    clear(&prepared).ok();
    restored
}

fn replace(prepared: &Path, backup: &Path, path: &Path) -> Result<(), Error> {
    let mut source = connect(prepared)?;
    migrate::refuse_foreign(&source, backup)?;
    migrate::run(&mut source, prepared, SQLITE, migrate::Keep::Nothing)?;
    create_file(path)?;
    set_aside_if_damaged(path)?;
    let mut target = connect_writer(path)?;
    raise_versions(&source, highest_version(&target)).map_err(|error| failure(prepared, error))?;
    overwrite(&mut target, &source, path)
}

/// Keeps a file that cannot even be opened under another name, and starts a new one.
fn set_aside_if_damaged(path: &Path) -> Result<(), Error> {
    let opened = connect(path).and_then(|connection| migrate::refuse_foreign(&connection, path));
    if !matches!(opened, Err(Error::Corrupt(_))) {
        return Ok(());
    }
    let failed = |error: io::Error| io_failure(FileRole::DamagedDatabase, path, &error);
    fs::rename(path, sibling(path, ".damaged")).map_err(failed)?;
    for log in ["-wal", "-shm"] {
        match fs::rename(sibling(path, log), sibling(path, &format!(".damaged{log}"))) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
    }
    create_file(path)
}

/// Zero for a new or unreadable database: nothing was answered from it.
fn highest_version(connection: &Connection) -> i64 {
    // One query each, because older schemas do not have all of them.
    let highest = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap_or(0);
    highest("SELECT MAX(value) FROM versions")
        .max(highest("SELECT MAX(version) FROM users"))
        .max(highest("SELECT MAX(version) FROM stocks"))
}

/// Versions of users and market data are at least 1; that of a stock may be 0.
fn raise_versions(connection: &Connection, by: i64) -> rusqlite::Result<()> {
    connection.execute_batch(&format!(
        "BEGIN; UPDATE users SET version = version + {by}; UPDATE versions SET value = value + {by}; \
         UPDATE stocks SET version = version + 1 + {by}; COMMIT"
    ))
}
