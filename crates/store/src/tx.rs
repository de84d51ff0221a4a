//! One transaction on one connection.

use std::sync::Arc;
use std::time::Instant;

use tokio::task::yield_now;
use uuid::Uuid;

use crate::row::{self, Columns, ReadRow, ReadRowOf, Row};
use crate::statement::Statement;
use crate::table::Query;
use crate::times::DatabaseTimes;
use crate::value::Param;
use crate::{Error, postgres, sqlite};

/// Rows after which other tasks get a turn: the embedded engine works on the caller's thread.
const YIELD_EVERY: usize = 256;

/// A transaction. Dropping it without [`Tx::commit`] rolls it back.
pub struct Tx {
    lease: Lease,
    writes: bool,
    since: Instant,
    times: Arc<DatabaseTimes>,
}

impl Drop for Tx {
    fn drop(&mut self) {
        let times = if self.writes { &self.times.write } else { &self.times.read };
        times.note(self.since.elapsed());
    }
}

pub(crate) enum Lease {
    Sqlite(sqlite::lease::Lease),
    Postgres(postgres::lease::Lease),
}

impl Tx {
    pub(crate) fn new(lease: Lease, writes: bool, times: Arc<DatabaseTimes>) -> Tx {
        Tx { lease, writes, since: Instant::now(), times }
    }

    /// Makes the writes durable and visible. After an error nothing is stored, unless the error says that the outcome is unknown.
    pub async fn commit(mut self) -> Result<(), Error> {
        match &mut self.lease {
            Lease::Sqlite(lease) => lease.commit(),
            Lease::Postgres(lease) => lease.commit().await,
        }
    }

    /// Also takes the write lock of a user, for a transaction that only now knows whose rows it is about. Anything read before
    /// may have changed while waiting: read it again.
    pub async fn lock_user(&mut self, user_id: Uuid) -> Result<(), Error> {
        match &mut self.lease {
            // The only writer holds every lock.
            Lease::Sqlite(_) => Ok(()),
            Lease::Postgres(lease) => lease.lock_user(user_id).await,
        }
    }

    /// From now on a statement may take a minute: for work that nobody waits for.
    pub async fn allow_long_statements(&mut self) -> Result<(), Error> {
        match &mut self.lease {
            Lease::Sqlite(_) => Ok(()),
            Lease::Postgres(lease) => lease.allow_long_statements().await,
        }
    }

    /// Call before writing many rows.
    pub(crate) fn grow_cache(&mut self) -> Result<(), Error> {
        match &mut self.lease {
            Lease::Sqlite(lease) => lease.grow_cache(),
            Lease::Postgres(_) => Ok(()),
        }
    }

    pub(crate) async fn query<R: Columns>(&mut self, query: &'static Query<R>, params: &[Param<'_>]) -> Result<Vec<R>, Error> {
        self.query_with(query, params, row::read).await
    }

    /// The first row, if there is one.
    pub(crate) async fn query_one<R: Columns>(
        &mut self,
        query: &'static Query<R>,
        params: &[Param<'_>],
    ) -> Result<Option<R>, Error> {
        let mut found = None;
        self.read_rows(query, params, 1, &mut |row| row::read(row).map(|value| found = Some(value))).await?;
        Ok(found)
    }

    /// The number that a statement counts.
    pub(crate) async fn count(&mut self, query: &'static Query<i64>, params: &[Param<'_>]) -> Result<i64, Error> {
        Ok(self.query_one(query, params).await?.unwrap_or(0))
    }

    /// Reads each row with `map`.
    pub(crate) async fn query_with<T>(
        &mut self,
        statement: &'static Statement,
        params: &[Param<'_>],
        mut map: impl FnMut(&Row<'_>) -> Result<T, Error> + Send,
    ) -> Result<Vec<T>, Error>
    where
        T: Send,
    {
        let mut found = Vec::new();
        self.read_rows(statement, params, usize::MAX, &mut |row| map(row).map(|value| found.push(value))).await?;
        Ok(found)
    }

    async fn read_rows(
        &mut self,
        statement: &'static Statement,
        params: &[Param<'_>],
        most: usize,
        read: &mut ReadRow<'_>,
    ) -> Result<(), Error> {
        match &mut self.lease {
            Lease::Sqlite(lease) => lease.query(statement, params, most, read),
            Lease::Postgres(lease) => lease.query(statement, params, most, read).await,
        }
    }

    /// The rows of one query per set of parameters, sent together, so that a server is waited for only once.
    pub(crate) async fn query_all<'a, R: Columns, const N: usize>(
        &mut self,
        query: &'static Query<R>,
        sets: impl IntoIterator<Item = [Param<'a>; N]>,
    ) -> Result<Vec<Vec<R>>, Error> {
        // Collected first, because the iterator must not be held across an await.
        let sets: Vec<[Param<'a>; N]> = sets.into_iter().collect();
        let sets: Vec<&[Param<'a>]> = sets.iter().map(<[_; N]>::as_slice).collect();
        let mut found: Vec<Vec<R>> = sets.iter().map(|_| Vec::new()).collect();
        self.read_rows_of(query, &sets, &mut |set, row| row::read(row).map(|value| found[set].push(value))).await?;
        Ok(found)
    }

    async fn read_rows_of(
        &mut self,
        statement: &'static Statement,
        sets: &[&[Param<'_>]],
        read: &mut ReadRowOf<'_>,
    ) -> Result<(), Error> {
        let lease = match &mut self.lease {
            Lease::Postgres(lease) => return lease.query_all(statement, sets, read).await,
            Lease::Sqlite(lease) => lease,
        };
        for (set, params) in sets.iter().enumerate() {
            lease.query(statement, params, usize::MAX, &mut |row| read(set, row))?;
            if set % YIELD_EVERY == 0 {
                yield_now().await;
            }
        }
        Ok(())
    }

    /// Runs a statement without result rows; returns how many rows it changed.
    pub(crate) async fn execute(&mut self, statement: &'static Statement, params: &[Param<'_>]) -> Result<u64, Error> {
        match &mut self.lease {
            Lease::Sqlite(lease) => lease.execute_all(statement, &[params]),
            Lease::Postgres(lease) => lease.execute_all(statement, &[params]).await,
        }
    }

    /// Runs one statement per set of parameters, prepared once; on a server a thousand at a time.
    pub(crate) async fn execute_all<'a, const N: usize>(
        &mut self,
        statement: &'static Statement,
        rows: impl IntoIterator<Item = [Param<'a>; N]>,
    ) -> Result<u64, Error> {
        // Collected first, because the iterator must not be held across an await.
        let rows: Vec<[Param<'a>; N]> = rows.into_iter().collect();
        self.execute_rows(statement, &rows).await
    }

    /// The same for parameters of any kind of list.
    pub(crate) async fn execute_rows<'a, P: AsRef<[Param<'a>]>>(
        &mut self,
        statement: &'static Statement,
        rows: &[P],
    ) -> Result<u64, Error> {
        self.execute_slices(statement, &rows.iter().map(AsRef::as_ref).collect::<Vec<_>>()).await
    }

    async fn execute_slices(&mut self, statement: &'static Statement, rows: &[&[Param<'_>]]) -> Result<u64, Error> {
        let lease = match &mut self.lease {
            Lease::Postgres(lease) => return lease.execute_all(statement, rows).await,
            Lease::Sqlite(lease) => lease,
        };
        let mut changed = 0;
        for some in rows.chunks(YIELD_EVERY) {
            changed += lease.execute_all(statement, some)?;
            yield_now().await;
        }
        Ok(changed)
    }
}
