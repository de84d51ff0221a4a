//! Copies a database that is in use.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::connect::{connect_reader, private_file, sibling, sync_folder_of};
use super::failure::{failure, io_failure};
use super::inspect;
use crate::Error;
use crate::error::{Bug, CopyProblem, Damage, FileRole, Outage};

/// A copy with at most this many free pages is not compacted.
const FREE_PAGES_MAX: i64 = 4_096;

/// Excludes uploads, which are only kept for a day.
pub(crate) fn write(source: &Path, target: &Path) -> Result<(), Error> {
    copy_with(source, target, without_uploads)
}

/// Copies `source` as of one moment, checks the copy, and only then gives it its final name.
pub(super) fn copy(source: &Path, target: &Path) -> Result<(), Error> {
    copy_with(source, target, |_| Ok(()))
}

fn copy_with(source: &Path, target: &Path, change: fn(&Connection) -> rusqlite::Result<()>) -> Result<(), Error> {
    if matches!((source.canonicalize(), target.canonicalize()), (Ok(source), Ok(target)) if source == target) {
        return Err(in_use(target));
    }
    let partial = begin(target)?;
    let written = write_partial(source, &partial, change).and_then(|()| give_name(&partial, target));
    if written.is_err() {
        // Report the error that stopped the copy, not this one.
        clear(&partial).ok();
    }
    written
}

/// The temporary name of the target, after removing leftovers of a crash. Refuses a target with a log or journal next to it: that
/// belongs to a database that is open, or would be read into the copy.
pub(crate) fn begin(target: &Path) -> Result<PathBuf, Error> {
    let partial = sibling(target, ".partial");
    match sibling(target, "-wal").exists() || sibling(target, "-journal").exists() {
        true => Err(in_use(target)),
        false => clear(&partial).map_err(|error| io_failure(FileRole::Backup, &partial, &error)).map(|()| partial),
    }
}

/// Turns a database that nobody uses any more into one checked file with its final name.
pub(crate) fn finish(partial: &Path, target: &Path) -> Result<(), Error> {
    let connection = Connection::open(partial).map_err(|error| failure(partial, error))?;
    as_one_file(&connection, partial)?;
    drop(connection);
    check_and_sync(partial)?;
    give_name(partial, target)
}

/// Removes a temporary file and everything that SQLite keeps next to it.
pub(crate) fn clear(partial: &Path) -> io::Result<()> {
    for file in [partial.to_owned(), sibling(partial, "-journal"), sibling(partial, "-wal"), sibling(partial, "-shm")] {
        match fs::remove_file(file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

fn in_use(target: &Path) -> Error {
    CopyProblem::TargetInUse { path: target.to_owned() }.into()
}

/// Overwrites their pages, and releases them if there are many.
fn without_uploads(copy: &Connection) -> rusqlite::Result<()> {
    let number = |sql: &str| copy.query_row(sql, [], |row| row.get::<_, i64>(0));
    copy.execute_batch("PRAGMA secure_delete = ON; DELETE FROM uploads;")?;
    let (free, all) = (number("PRAGMA freelist_count")?, number("PRAGMA page_count")?);
    if free > FREE_PAGES_MAX && free > all / 4 {
        // If there is no space for it, the copy is just larger.
        copy.execute_batch("VACUUM").ok();
    }
    Ok(())
}

fn write_partial(source: &Path, partial: &Path, change: fn(&Connection) -> rusqlite::Result<()>) -> Result<(), Error> {
    private_file(partial).map_err(|error| io_failure(FileRole::Backup, partial, &error))?;
    copy_pages(&connect_reader(source)?, source, partial, change)?;
    check_and_sync(partial)
}

fn copy_pages(
    source: &Connection,
    source_path: &Path,
    partial: &Path,
    change: fn(&Connection) -> rusqlite::Result<()>,
) -> Result<(), Error> {
    let mut target = Connection::open(partial).map_err(|error| failure(partial, error))?;
    overwrite(&mut target, source, source_path)?;
    as_one_file(&target, partial)?;
    change(&target).map_err(|error| failure(partial, error))
}

/// Without a log next to it, the file can be moved.
fn as_one_file(connection: &Connection, path: &Path) -> Result<(), Error> {
    let mode: String =
        connection.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0)).map_err(|error| failure(path, error))?;
    match mode.as_str() {
        "delete" => Ok(()),
        _ => Err(Bug::FileStillOpen { path: path.to_owned() }.into()),
    }
}

/// In one step, which reads one snapshot in one transaction: a copy in several steps would start over with every commit of
/// another connection.
pub(super) fn overwrite(target: &mut Connection, source: &Connection, source_path: &Path) -> Result<(), Error> {
    let step = Backup::new(source, target).and_then(|backup| backup.step(-1)).map_err(|error| failure(source_path, error))?;
    match step {
        StepResult::Done => Ok(()),
        _ => Err(Outage::NotCopied { path: source_path.to_owned() }.into()),
    }
}

fn check_and_sync(partial: &Path) -> Result<(), Error> {
    check(partial)?;
    File::open(partial).and_then(|file| file.sync_all()).map_err(|error| io_failure(FileRole::Backup, partial, &error))
}

fn check(partial: &Path) -> Result<(), Error> {
    let copy = Connection::open(partial).map_err(|error| failure(partial, error))?;
    match inspect::problems(&copy, partial)?.first() {
        None => Ok(()),
        Some(problem) => Err(Damage::Copy { fault: problem.clone() }.into()),
    }
}

fn give_name(partial: &Path, target: &Path) -> Result<(), Error> {
    fs::rename(partial, target)
        .and_then(|()| sync_folder_of(target))
        .map_err(|error| io_failure(FileRole::Backup, target, &error))
}
