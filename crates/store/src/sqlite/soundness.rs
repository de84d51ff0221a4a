//! Whether the file is intact. A file known to be damaged is neither read nor written any more: its figures may be wrong, and
//! writing would spread the damage.

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode};

use super::failure::failure;
use crate::Error;
use crate::error::Damage;

/// How long opening a file looks for damage: enough for all of a small file. The rest of a large one is checked while it is
/// served.
pub(super) const LOOK: Duration = Duration::from_millis(10);

/// SQLite's virtual machine steps between two looks at the clock.
const STEPS: i32 = 100;

/// The first damage found in an open file.
#[derive(Default)]
pub(super) struct Soundness(OnceLock<Error>);

impl Soundness {
    pub(super) fn check(&self) -> Result<(), Error> {
        self.0.get().map_or(Ok(()), |damage| Err(damage.clone()))
    }

    /// Remembers an error if it reports damage, and returns it.
    pub(super) fn record(&self, error: Error) -> Error {
        if let Error::Corrupt(_) = error {
            self.0.get_or_init(|| error.clone());
        }
        error
    }
}

pub(super) fn damaged(path: &Path, finding: &str) -> Error {
    Damage::File { path: path.to_owned(), cause: finding.to_owned() }.into()
}

/// A line of a check. Names in it come from the file and may also be damaged.
pub(super) fn words(row: &rusqlite::Row<'_>) -> rusqlite::Result<String> {
    Ok(match row.get_ref(0)? {
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        _ => String::new(),
    })
}

/// Refuses a file if damage is found within this time, before anything is written to it.
pub(super) fn refuse_damaged(connection: &mut Connection, path: &Path, time: Duration) -> Result<(), Error> {
    let failed = |error| failure(path, error);
    let end = Instant::now() + time;
    connection.progress_handler(STEPS, Some(move || Instant::now() >= end)).map_err(failed)?;
    let found = connection.query_row("PRAGMA integrity_check(1)", [], words);
    connection.progress_handler(0, None::<fn() -> bool>).map_err(failed)?;
    match found {
        Ok(line) if line == "ok" => Ok(()),
        Ok(line) => Err(damaged(path, &line)),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => Ok(()),
        Err(error) => Err(failed(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Outage;

    /// A file of some hundred pages, one of the first of them damaged; SQLite checks the last page first.
    fn with_a_broken_page() -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch(
                "CREATE TABLE a (x INTEGER PRIMARY KEY, y TEXT) STRICT;
                 WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 60000) INSERT INTO a SELECT x, 'row ' || x FROM n",
            )
            .unwrap();
        drop(connection);
        let mut bytes = std::fs::read(&path).unwrap();
        let page = 4 * 4096;
        bytes[page..page + 8].fill(0xff);
        std::fs::write(&path, bytes).unwrap();
        (folder, path)
    }

    #[test]
    fn a_damaged_file_is_refused_by_its_name() {
        let (_folder, path) = with_a_broken_page();
        let error = refuse_damaged(&mut Connection::open(&path).unwrap(), &path, Duration::from_secs(60)).unwrap_err();
        assert!(matches!(&error, Error::Corrupt(Damage::File { path: found, .. }) if *found == path), "{error}");
    }

    #[test]
    fn damage_in_a_name_is_reported_as_damage() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("test.db");
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch("CREATE TABLE a (x TEXT); CREATE INDEX by_x ON a (x); INSERT INTO a VALUES ('one'), ('two')")
            .unwrap();
        drop(connection);
        let mut bytes = std::fs::read(&path).unwrap();
        // In the name of the index, and in a value that the index has of a row.
        for (text, by) in [("by_x ON", 0x80), ("two", 0x01)] {
            let at = bytes.windows(text.len()).rposition(|found| found == text.as_bytes()).unwrap();
            bytes[at] ^= by;
        }
        let at = bytes.windows(9).position(|found| found == b"indexby_x").unwrap() + 5;
        bytes[at] ^= 0x80;
        std::fs::write(&path, bytes).unwrap();
        let error = refuse_damaged(&mut Connection::open(&path).unwrap(), &path, Duration::from_secs(60)).unwrap_err();
        assert!(matches!(&error, Error::Corrupt(Damage::File { path: found, .. }) if *found == path), "{error:?}");
    }

    #[test]
    fn a_damage_check_ends_in_time_and_leaves_the_connection_usable() {
        let (_folder, path) = with_a_broken_page();
        let mut connection = Connection::open(&path).unwrap();
        assert_eq!(refuse_damaged(&mut connection, &path, Duration::ZERO), Ok(()));
        let sum: i64 = connection.query_row("SELECT SUM(x) FROM a WHERE x > 50000", [], |row| row.get(0)).unwrap();
        assert_eq!(sum, 550_005_000);
    }

    #[test]
    fn only_damage_is_remembered() {
        let soundness = Soundness::default();
        soundness.record(Outage::ServerBusy.into());
        assert_eq!(soundness.check(), Ok(()));
        let first = soundness.record(damaged(Path::new("a.db"), "one"));
        soundness.record(damaged(Path::new("a.db"), "two"));
        assert_eq!(soundness.check(), Err(first));
    }
}
