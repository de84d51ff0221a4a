//! Copies of a database that others are using.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::failure::{failure, io_failure};
use super::pool::Pool;
use super::{connect_reader, inspect, private_file, sync_folder_of};
use crate::Error;

pub(crate) fn write(pool: &Pool, target: &Path) -> Result<(), Error> {
    copy(pool.path(), target)
}

/// Copies `source` as of one moment, checks the copy, and only then gives it its name.
pub(super) fn copy(source: &Path, target: &Path) -> Result<(), Error> {
    refuse_database_in_use(source, target)?;
    let partial = beside(target, ".partial");
    let written = write_partial(source, &partial).and_then(|()| give_name(&partial, target));
    if written.is_err() {
        // The error to report is the one that stopped the copy.
        fs::remove_file(&partial).ok();
    }
    written
}

/// A log file beside the target belongs to a database that is open there, or would be read into the copy.
fn refuse_database_in_use(source: &Path, target: &Path) -> Result<(), Error> {
    let same = matches!((source.canonicalize(), target.canonicalize()), (Ok(source), Ok(target)) if source == target);
    match same || beside(target, "-wal").exists() {
        true => Err(Error::Unavailable(format!("{} is a database in use; write the backup to another file", target.display()))),
        false => Ok(()),
    }
}

fn write_partial(source: &Path, partial: &Path) -> Result<(), Error> {
    let failed = |error: io::Error| io_failure("the backup file", partial, &error);
    match fs::remove_file(partial) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
        _ => {}
    }
    private_file(partial).map_err(failed)?;
    copy_pages(&connect_reader(source)?, source, partial)?;
    check(partial)?;
    File::open(partial).and_then(|file| file.sync_all()).map_err(failed)
}

fn copy_pages(source: &Connection, source_path: &Path, partial: &Path) -> Result<(), Error> {
    let failed = |error| failure(partial, error);
    let mut target = Connection::open(partial).map_err(failed)?;
    overwrite(&mut target, source, source_path)?;
    // One file without a log beside it can be moved about.
    target.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(())).map_err(failed)
}

/// In one step, which reads one snapshot and is one transaction: a copy in several would start over at every commit of another
/// connection.
pub(super) fn overwrite(target: &mut Connection, source: &Connection, source_path: &Path) -> Result<(), Error> {
    let step = Backup::new(source, target).and_then(|backup| backup.step(-1)).map_err(|error| failure(source_path, error))?;
    match step {
        StepResult::Done => Ok(()),
        _ => Err(Error::Unavailable(format!("the database is busy, so {} was not copied; try again", source_path.display()))),
    }
}

fn check(partial: &Path) -> Result<(), Error> {
    let copy = Connection::open(partial).map_err(|error| failure(partial, error))?;
    match inspect::problems(&copy, partial)?.first() {
        None => Ok(()),
        Some(problem) => Err(Error::Corrupt(format!("the database was copied, but the copy is damaged: {problem}"))),
    }
}

fn give_name(partial: &Path, target: &Path) -> Result<(), Error> {
    fs::rename(partial, target)
        .and_then(|()| sync_folder_of(target))
        .map_err(|error| io_failure("the backup file", target, &error))
}

pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
