//! Facts for `doctor`.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::connect::{connect_reader, sibling};
use super::failure::{failure, io_failure};
use super::pool::Pool;
use super::soundness::{damaged, words};
use crate::Error;
use crate::error::{Fault, FileRole};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCondition {
    pub path: PathBuf,
    pub file_bytes: u64,
    /// Size of the write-ahead log, which is moved into the file now and then.
    pub log_bytes: u64,
    /// Whether others than the owner can read the file or its folder; always false on systems without file modes.
    pub file_open_to_others: bool,
    pub folder_open_to_others: bool,
    pub schema_version: i64,
    pub sqlite_version: String,
}

pub(crate) fn condition(pool: &Pool) -> Result<FileCondition, Error> {
    let path = pool.path();
    let metadata = fs::metadata(path).map_err(|error| io_failure(FileRole::Database, path, &error))?;
    Ok(FileCondition {
        path: path.to_owned(),
        file_bytes: metadata.len(),
        log_bytes: fs::metadata(sibling(path, "-wal")).map_or(0, |log| log.len()),
        file_open_to_others: open_to_others(&metadata),
        folder_open_to_others: path.parent().and_then(|folder| fs::metadata(folder).ok()).is_some_and(|it| open_to_others(&it)),
        schema_version: schema_version(pool)?,
        sqlite_version: rusqlite::version().to_owned(),
    })
}

#[cfg(unix)]
fn open_to_others(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o077 != 0
}

#[cfg(not(unix))]
fn open_to_others(_: &fs::Metadata) -> bool {
    false
}

pub(crate) fn schema_version(pool: &Pool) -> Result<i64, Error> {
    schema_of(&connect_reader(pool.path())?, pool.path())
}

pub(super) fn schema_of(connection: &Connection, path: &Path) -> Result<i64, Error> {
    number(connection, path, "PRAGMA user_version")
}

pub(super) fn number(connection: &Connection, path: &Path, sql: &str) -> Result<i64, Error> {
    connection.query_row(sql, [], |row| row.get(0)).map_err(|error| failure(path, error))
}

/// Empty for an intact file. A damaged one is no longer used.
pub(crate) fn integrity(pool: &Pool) -> Result<Vec<Fault>, Error> {
    let (connection, path) = (connect_reader(pool.path())?, pool.path());
    let found = faults(&connection).map_err(|error| pool.as_error(error))?;
    if let Some(first) = found.first() {
        pool.soundness().record(damaged(path, first));
    }
    with_orphans(&connection, path, found)
}

/// Empty for an intact file.
pub(super) fn problems(connection: &Connection, path: &Path) -> Result<Vec<Fault>, Error> {
    with_orphans(connection, path, faults(connection).map_err(|error| failure(path, error))?)
}

/// Faults of the file itself: pages, keys, indexes, and constraints on single rows.
fn faults(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut found = lines(connection, "PRAGMA integrity_check", words)?;
    found.retain(|line| line != "ok");
    Ok(found)
}

fn with_orphans(connection: &Connection, path: &Path, found: Vec<String>) -> Result<Vec<Fault>, Error> {
    let orphan = |row: &rusqlite::Row<'_>| Ok(Fault::Orphan { table: row.get(0)?, parent: row.get(2)? });
    let mut found: Vec<Fault> = found.into_iter().map(|finding| Fault::File { finding }).collect();
    found.extend(lines(connection, "PRAGMA foreign_key_check", orphan).map_err(|error| failure(path, error))?);
    Ok(found)
}

fn lines<T>(connection: &Connection, sql: &str, line: fn(&rusqlite::Row<'_>) -> rusqlite::Result<T>) -> rusqlite::Result<Vec<T>> {
    let mut statement = connection.prepare(sql)?;
    statement.query_map([], line)?.collect()
}
