//! One writer, a few readers, and connections for the look-up of every request.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout};

use super::failure::{breaks_connection, failure};
use super::lease::{Lease, Slot};
use super::look_up_cache::LookUpCache;
use super::run::{self, Failed};
use super::soundness::Soundness;
use super::{connect_reader, connect_writer};
use crate::error::{Access, Outage};
use crate::row::{self, Columns};
use crate::table::Query;
use crate::value::Param;
use crate::{Error, Session, Versions, look_ups};

/// How long a transaction waits for the writer before it fails because the database is busy.
pub(super) const WAIT: Duration = Duration::from_secs(5);

const READERS: usize = 8;

/// Short compared with a commit, which takes milliseconds.
const PAUSE: Duration = Duration::from_millis(2);

pub(crate) struct Pool {
    path: PathBuf,
    /// Empty after the connection broke; the next write opens a new one.
    writer: Arc<tokio::sync::Mutex<Option<Connection>>>,
    turns: Arc<Semaphore>,
    readers: Idle,
    /// Separate from the readers, so that a look-up never waits behind long reads.
    look_ups: Idle,
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
            look_ups: Idle::default(),
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

    pub(crate) fn is_damaged(&self) -> bool {
        self.soundness.check().is_err()
    }

    pub(super) fn soundness(&self) -> &Soundness {
        &self.soundness
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
        let connection = self.look_ups.take_or_open(&self.path).map_err(|error| self.soundness.record(error))?;
        match run::query_one(&connection, query, params, row::read) {
            Err(Failed::Engine(error)) if breaks_connection(&error) => Err(self.as_error(error)),
            other => {
                self.look_ups.put(connection);
                other.map_err(|failed| failed.into_error(self))
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

pub(crate) async fn reader(pool: &Arc<Pool>) -> Result<Lease, Error> {
    pool.soundness.check()?;
    let turn = match pool.turns.clone().try_acquire_owned() {
        Ok(turn) => turn,
        Err(_) => match timeout(WAIT, pool.turns.clone().acquire_owned()).await {
            Ok(Ok(turn)) => turn,
            _ => return Err(busy(&pool.path, Access::Reading)),
        },
    };
    let connection = pool.readers.take_or_open(&pool.path).map_err(|error| pool.soundness.record(error))?;
    run::control(&connection, "BEGIN DEFERRED").map_err(|error| pool.as_error(error))?;
    Ok(Lease::new(Slot::Reader { connection: Some(connection), _turn: turn }, pool.clone()))
}

pub(crate) async fn writer(pool: &Arc<Pool>) -> Result<Lease, Error> {
    let mut slot = Slot::Writer(writer_slot(pool).await?);
    pool.soundness.check()?;
    let started = Instant::now();
    loop {
        let connection = match slot.connection() {
            Some(connection) => connection,
            empty => empty.insert(connect_writer(&pool.path).map_err(|error| pool.soundness.record(error))?),
        };
        match begin_immediate(connection) {
            Ok(()) => return Ok(Lease::new(slot, pool.clone())),
            Err(error) if is_busy(&error) && started.elapsed() < WAIT => {}
            Err(error) => {
                if breaks_connection(&error) {
                    slot.connection().take();
                }
                return Err(pool.as_error(error));
            }
        }
        sleep(PAUSE).await;
    }
}

/// Moves the log into the file and empties it, while holding the writer.
pub(crate) async fn checkpoint(pool: &Arc<Pool>) -> Result<(), Error> {
    let mut slot = writer_slot(pool).await?;
    pool.soundness.check()?;
    let connection = match slot.as_mut() {
        Some(connection) => connection,
        None => slot.insert(connect_writer(&pool.path)?),
    };
    let blocked: i64 =
        connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).map_err(|error| pool.as_error(error))?;
    if blocked == 0 { Ok(()) } else { Err(busy(&pool.path, Access::Reading)) }
}

async fn writer_slot(pool: &Arc<Pool>) -> Result<tokio::sync::OwnedMutexGuard<Option<Connection>>, Error> {
    match pool.writer.clone().try_lock_owned() {
        Ok(guard) => Ok(guard),
        Err(_) => timeout(WAIT, pool.writer.clone().lock_owned()).await.map_err(|_| busy(&pool.path, Access::Writing)),
    }
}

/// The caller waits for other processes asynchronously; SQLite's own busy wait would block a runtime thread.
fn begin_immediate(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(Duration::ZERO)?;
    let begun = run::control(connection, "BEGIN IMMEDIATE");
    connection.busy_timeout(WAIT)?;
    begun
}

fn is_busy(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
}

fn busy(path: &Path, access: Access) -> Error {
    Outage::Busy { path: path.to_owned(), access }.into()
}
