//! Detects whether any process has committed, from SQLite's own marker and without a query.
//!
//! The index of the write-ahead log begins with how far the log is valid. That is what makes a commit visible to readers, and
//! what they compare to know whether their own cache is valid. SQLite documents the format.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError, RwLock};

use rusqlite::Connection;

use super::connect::connect_reader;

/// The header of the index exists twice, so that a reader notices if one is being written.
const HEAD: usize = 48;

pub(super) struct WalGeneration {
    file: &'static File,
    seen: RwLock<Seen>,
    /// While a connection is open, SQLite keeps the index in place.
    _keeps: Mutex<Connection>,
}

struct Seen {
    head: [u8; HEAD],
    generation: u64,
}

impl WalGeneration {
    /// `None` if it cannot be read; then nothing can be cached.
    pub(super) fn open(path: &Path) -> Option<WalGeneration> {
        let keeps = connect_reader(path).ok()?;
        // The first statement opens the index.
        keeps.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0)).ok()?;
        let file = opened(&index_of(path)).ok()?;
        let mark = WalGeneration { file, seen: RwLock::new(Seen { head: [0; HEAD], generation: 0 }), _keeps: Mutex::new(keeps) };
        mark.generation().is_some().then_some(mark)
    }

    /// A number that changes with every commit. `None` during a commit.
    pub(super) fn generation(&self) -> Option<u64> {
        let head = head_of(self.file)?;
        {
            let seen = self.seen.read().unwrap_or_else(PoisonError::into_inner);
            if seen.head == head {
                return Some(seen.generation);
            }
        }
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        if seen.head != head {
            *seen = Seen { head, generation: seen.generation + 1 };
        }
        Some(seen.generation)
    }
}

fn index_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-shm");
    name.into()
}

#[cfg(unix)]
fn head_of(file: &File) -> Option<[u8; HEAD]> {
    use std::os::unix::fs::FileExt;
    let mut both = [0; 2 * HEAD];
    file.read_exact_at(&mut both, 0).ok()?;
    let (first, second) = both.split_at(HEAD);
    (first == second).then(|| first.try_into().ok()).flatten()
}

/// Opened once per file and never closed: a process that closes a file loses all its locks on it, including SQLite's.
#[cfg(unix)]
fn opened(path: &Path) -> io::Result<&'static File> {
    use std::os::unix::fs::MetadataExt;
    type Id = (u64, u64);
    static OPEN: LazyLock<Mutex<HashMap<Id, &'static File>>> = LazyLock::new(Mutex::default);
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    let id = |about: std::fs::Metadata| (about.dev(), about.ino());
    if let Some(file) = open.get(&id(path.metadata()?)) {
        return Ok(file);
    }
    let file: &'static File = Box::leak(Box::new(File::open(path)?));
    Ok(open.entry(id(file.metadata()?)).or_insert(file))
}

#[cfg(not(unix))]
fn head_of(_: &File) -> Option<[u8; HEAD]> {
    None
}

#[cfg(not(unix))]
fn opened(_: &Path) -> io::Result<&'static File> {
    Err(io::ErrorKind::Unsupported.into())
}
