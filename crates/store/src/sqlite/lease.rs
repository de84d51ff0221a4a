//! A connection lent to one transaction.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};
use tokio::sync::{OwnedMutexGuard, OwnedSemaphorePermit};
use tokio::time::{Instant, sleep};

use super::connect::WAIT;
use super::failure::breaks_connection;
use super::pool::Pool;
use super::run::{self, Failed};
use crate::Error;
use crate::error::Bug;
use crate::row::ReadRow;
use crate::statement::Statement;
use crate::value::Param;

/// An open transaction. Dropping it rolls it back and returns the connection to the pool, unless it is broken.
pub(crate) struct Lease {
    slot: Slot,
    pool: Arc<Pool>,
    /// After the first error no statement runs and nothing is stored, as in PostgreSQL.
    failed: bool,
    /// The connection must not be reused.
    broken: bool,
    /// It has a larger cache than others.
    has_large_cache: bool,
}

/// Short compared with a commit, which takes milliseconds.
const PAUSE: Duration = Duration::from_millis(2);

/// In KiB, which SQLite marks by a minus: for bulk writes, and for everything else.
const LARGE_CACHE: i64 = -65_536;
const USUAL_CACHE: i64 = -2_000;

enum Slot {
    /// The permit is held as long as the connection.
    Reader {
        connection: Option<Connection>,
        _turn: OwnedSemaphorePermit,
    },
    Writer(OwnedMutexGuard<Option<Connection>>),
}

impl Slot {
    fn connection(&mut self) -> &mut Option<Connection> {
        match self {
            Slot::Reader { connection, .. } => connection,
            Slot::Writer(connection) => connection,
        }
    }
}

impl Lease {
    fn new(slot: Slot, pool: &Arc<Pool>) -> Lease {
        Lease { slot, pool: pool.clone(), failed: false, broken: false, has_large_cache: false }
    }

    pub(crate) async fn reading(pool: &Arc<Pool>) -> Result<Lease, Error> {
        let (connection, turn) = pool.reader().await?;
        run::control(&connection, "BEGIN DEFERRED").map_err(|error| pool.as_error(error))?;
        Ok(Lease::new(Slot::Reader { connection: Some(connection), _turn: turn }, pool))
    }

    pub(crate) async fn writing(pool: &Arc<Pool>) -> Result<Lease, Error> {
        let mut slot = pool.writer().await?;
        let started = Instant::now();
        loop {
            match begin_immediate(pool.opened(&mut slot)?) {
                Ok(()) => return Ok(Lease::new(Slot::Writer(slot), pool)),
                Err(error) if is_busy(&error) && started.elapsed() < WAIT => {}
                Err(error) => {
                    if breaks_connection(&error) {
                        slot.take();
                    }
                    return Err(pool.as_error(error));
                }
            }
            sleep(PAUSE).await;
        }
    }

    pub(crate) fn query(
        &mut self,
        statement: &'static Statement,
        params: &[Param<'_>],
        most: usize,
        read: &mut ReadRow<'_>,
    ) -> Result<(), Error> {
        self.run(|connection| run::query(connection, statement, params, most, read))
    }

    pub(crate) fn execute_all(&mut self, statement: &'static Statement, rows: &[&[Param<'_>]]) -> Result<u64, Error> {
        self.run(|connection| run::execute_all(connection, statement, rows))
    }

    /// Enough memory for all pages a bulk write touches; otherwise SQLite would write them out and read them again many times.
    pub(crate) fn grow_cache(&mut self) -> Result<(), Error> {
        self.has_large_cache = true;
        self.run(|connection| Ok(connection.pragma_update(None, "cache_size", LARGE_CACHE)?))
    }

    pub(crate) fn commit(&mut self) -> Result<(), Error> {
        self.run(|connection| Ok(run::control(connection, "COMMIT")?))
    }

    fn run<T>(&mut self, work: impl FnOnce(&Connection) -> Result<T, Failed>) -> Result<T, Error> {
        let connection = match self.slot.connection() {
            Some(connection) if !self.failed => connection,
            _ => return Err(Bug::TransactionOver.into()),
        };
        work(connection).map_err(|failed| {
            self.failed = true;
            self.broken |= matches!(&failed, Failed::Engine(error) if breaks_connection(error));
            self.pool.failed(failed)
        })
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

impl Drop for Lease {
    fn drop(&mut self) {
        let slot = self.slot.connection();
        let has_large_cache = self.has_large_cache;
        let clean = slot.as_ref().is_some_and(|open| {
            let ended = open.is_autocommit() || run::control(open, "ROLLBACK").is_ok();
            ended && (!has_large_cache || open.pragma_update(None, "cache_size", USUAL_CACHE).is_ok())
        });
        if self.broken || !clean {
            slot.take();
        }
        if let Slot::Reader { connection, .. } = &mut self.slot
            && let Some(connection) = connection.take()
        {
            self.pool.give_back(connection);
        }
    }
}
