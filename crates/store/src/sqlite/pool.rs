//! One writer, and a few readers, which also serve the look-up of every request.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::connect::{WAIT, connect_reader, connect_writer};
use super::failure::{breaks_connection, failure};
use super::look_up_cache::LookUpCache;
use super::run::{self, Failed};
use super::soundness::Soundness;
use crate::error::{Access, Outage};
use crate::row::{self, Columns};
use crate::table::Query;
use crate::value::Param;
use crate::{Error, Session, Versions, look_ups};

const READERS: usize = 8;

pub(crate) struct Pool {
    path: PathBuf,
    /// Empty after the connection broke; the next write opens a new one.
    writer: Arc<tokio::sync::Mutex<Option<Connection>>>,
    /// For transactions. A look-up needs none, so that it never waits behind long reads.
    turns: Arc<Semaphore>,
    readers: Idle,
    cache: LookUpCache,
    soundness: Soundness,
}

impl Pool {
    pub(super) fn new(path: PathBuf, writer: Connection) -> Pool {
        Pool {
            cache: LookUpCache::of(&path),
            path,
            writer: Arc::new(tokio::sync::Mutex::new(Some(writer))),
            turns: Arc::new(Semaphore::new(READERS)),
            readers: Idle::default(),
            soundness: Soundness::default(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Converts the error of a statement. After damage nothing is read or written any more.
    pub(super) fn as_error(&self, error: rusqlite::Error) -> Error {
        self.soundness.record(failure(&self.path, error))
    }

    pub(super) fn failed(&self, failed: Failed) -> Error {
        match failed {
            Failed::Engine(error) => self.as_error(error),
            Failed::Ours(error) => error,
        }
    }

    pub(crate) fn is_damaged(&self) -> bool {
        self.soundness.check().is_err()
    }

    pub(super) fn soundness(&self) -> &Soundness {
        &self.soundness
    }

    /// A connection for reading, and the right to use it.
    pub(super) async fn reader(&self) -> Result<(Connection, OwnedSemaphorePermit), Error> {
        self.soundness.check()?;
        let turn = match self.turns.clone().try_acquire_owned() {
            Ok(turn) => turn,
            Err(_) => match timeout(WAIT, self.turns.clone().acquire_owned()).await {
                Ok(Ok(turn)) => turn,
                _ => return Err(busy(&self.path, Access::Reading)),
            },
        };
        Ok((self.readers.take_or_open(&self.path).map_err(|error| self.soundness.record(error))?, turn))
    }

    /// The place of the only connection for writing; empty after it broke.
    pub(super) async fn writer(&self) -> Result<OwnedMutexGuard<Option<Connection>>, Error> {
        let guard = match self.writer.clone().try_lock_owned() {
            Ok(guard) => guard,
            Err(_) => timeout(WAIT, self.writer.clone().lock_owned()).await.map_err(|_| busy(&self.path, Access::Writing))?,
        };
        self.soundness.check()?;
        Ok(guard)
    }

    /// The connection for writing, opened if there is none.
    pub(super) fn opened<'c>(&self, slot: &'c mut Option<Connection>) -> Result<&'c mut Connection, Error> {
        match slot {
            Some(connection) => Ok(connection),
            empty => Ok(empty.insert(connect_writer(&self.path).map_err(|error| self.soundness.record(error))?)),
        }
    }

    /// Moves the log into the file and empties it, while holding the writer.
    pub(crate) async fn checkpoint(&self) -> Result<(), Error> {
        let mut slot = self.writer().await?;
        let connection = self.opened(&mut slot)?;
        let blocked: i64 = connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))
            .map_err(|error| self.as_error(error))?;
        if blocked == 0 { Ok(()) } else { Err(busy(&self.path, Access::Reading)) }
    }

    pub(super) fn give_back(&self, reader: Connection) {
        self.readers.put(reader);
    }

    pub(crate) fn session(&self, hash: &[u8; 32]) -> Result<Option<Session>, Error> {
        self.soundness.check()?;
        self.cache.session(hash, || self.look_up(&look_ups::SESSION, &[hash.into()]))
    }

    pub(crate) fn versions(&self) -> Result<Versions, Error> {
        self.soundness.check()?;
        self.cache.versions(|| self.look_up(&look_ups::VERSIONS, &[])?.ok_or_else(look_ups::version_missing))
    }

    /// A single statement outside any transaction: it sees what any process has committed.
    pub(crate) fn look_up<R: Columns>(&self, query: &'static Query<R>, params: &[Param<'_>]) -> Result<Option<R>, Error> {
        self.soundness.check()?;
        let connection = self.readers.take_or_open(&self.path).map_err(|error| self.soundness.record(error))?;
        let mut found = None;
        match run::query(&connection, query, params, 1, &mut |row| row::read(row).map(|value| found = Some(value))) {
            Err(Failed::Engine(error)) if breaks_connection(&error) => Err(self.as_error(error)),
            other => {
                self.give_back(connection);
                other.map(|()| found).map_err(|failed| self.failed(failed))
            }
        }
    }
}

/// Idle connections.
#[derive(Default)]
struct Idle(Mutex<Vec<Connection>>);

impl Idle {
    fn take_or_open(&self, path: &Path) -> Result<Connection, Error> {
        let idle = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(connection) => Ok(connection),
            None => connect_reader(path),
        }
    }

    fn put(&self, connection: Connection) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < READERS {
            idle.push(connection);
        }
    }
}

fn busy(path: &Path, access: Access) -> Error {
    Outage::Busy { path: path.to_owned(), access }.into()
}
