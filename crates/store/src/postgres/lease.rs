//! A connection lent to one transaction.

use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use deadpool_postgres::Object;
use uuid::Uuid;

use super::lock_queue::{QueueGuard, advisory_lock, of_user};
use super::run::{Failed, RunOptions};
use super::wait_budget::WaitBudget;
use crate::error::{Bug, Outage};
use crate::row::{ReadRow, ReadRowOf};
use crate::statement::Statement;
use crate::value::Param;
use crate::{Error, Work};

/// An open transaction. Dropping it rolls it back and returns the connection to the pool, unless it is broken.
pub(crate) struct Lease {
    /// Empty once the connection was discarded.
    connection: Option<Object>,
    options: RunOptions,
    state: State,
    /// The place in this node's queue, kept until the lock is released.
    _queue_guard: Option<QueueGuard>,
}

#[derive(PartialEq)]
enum State {
    Open,
    /// A statement is running; if the transaction is dropped now, its answer is unread.
    Running,
    Failed,
    Committed,
}

impl Lease {
    pub(super) fn new(connection: Object, options: RunOptions) -> Lease {
        Lease { connection: Some(connection), options, state: State::Open, _queue_guard: None }
    }

    pub(super) fn hold(&mut self, guard: Option<QueueGuard>) {
        self._queue_guard = guard;
    }

    /// A transaction that could not begin.
    pub(super) fn failed(connection: Object, options: RunOptions) -> Lease {
        let mut lease = Lease::new(connection, options);
        lease.state = State::Failed;
        lease
    }

    pub(crate) fn query<'a>(
        &'a mut self,
        statement: &'static Statement,
        params: &'a [Param<'a>],
        most: usize,
        read: &'a mut ReadRow<'a>,
    ) -> Work<'a, Result<(), Error>> {
        Box::pin(async move {
            let options = self.options.clone();
            let result = options.query(self.begin()?, statement, params, most, read).await;
            self.ended(result)
        })
    }

    /// `read` also gets the number of the set that the row belongs to.
    pub(crate) fn query_all<'a>(
        &'a mut self,
        statement: &'static Statement,
        sets: &'a [&'a [Param<'a>]],
        read: &'a mut ReadRowOf<'a>,
    ) -> Work<'a, Result<(), Error>> {
        Box::pin(async move {
            let options = self.options.clone();
            let result = options.query_all(self.begin()?, statement, sets, read).await;
            self.ended(result)
        })
    }

    pub(crate) fn execute_all<'a>(
        &'a mut self,
        statement: &'static Statement,
        rows: &'a [&'a [Param<'a>]],
    ) -> Work<'a, Result<u64, Error>> {
        Box::pin(async move {
            let options = self.options.clone();
            let result = options.execute_all(self.begin()?, statement, rows).await;
            self.ended(result)
        })
    }

    pub(crate) fn commit(&mut self) -> Work<'_, Result<(), Error>> {
        Box::pin(async move {
            let result = self.control("COMMIT").await?;
            // If the connection was lost on the way, nobody knows whether the commit arrived.
            let unknown = matches!(&result, Err(failed) if failed.is_broken());
            self.ended(result).map_err(|error| if unknown { commit_unknown() } else { error })?;
            self.state = State::Committed;
            Ok(())
        })
    }

    /// Also takes the lock of one user, until the end.
    pub(crate) fn lock_user(&mut self, user_id: Uuid) -> Work<'_, Result<(), Error>> {
        Box::pin(async move {
            let result = self.control(&advisory_lock(of_user(user_id))).await?;
            self.ended(result)
        })
    }

    pub(crate) fn allow_long_statements(&mut self) -> Work<'_, Result<(), Error>> {
        Box::pin(async move {
            let result = self.control("SET LOCAL statement_timeout = '60s'").await?;
            self.options.wait_budget = WaitBudget::alone(Duration::from_secs(60));
            self.ended(result)
        })
    }

    async fn control(&mut self, sql: &str) -> Result<Result<(), Failed>, Error> {
        let options = self.options.clone();
        Ok(options.control(self.begin()?, sql).await)
    }

    fn begin(&mut self) -> Result<&Object, Error> {
        match &self.connection {
            Some(connection) if self.state == State::Open => {
                self.state = State::Running;
                Ok(connection)
            }
            _ => Err(Bug::TransactionOver.into()),
        }
    }

    fn ended<T>(&mut self, result: Result<T, Failed>) -> Result<T, Error> {
        match result {
            Ok(value) => {
                self.state = State::Open;
                Ok(value)
            }
            Err(failed) => {
                self.state = State::Failed;
                if failed.is_broken() {
                    give_up(self.connection.take());
                }
                Err(failed.error)
            }
        }
    }
}

fn commit_unknown() -> Error {
    Outage::CommitUnknown.into()
}

/// Does not return it to the pool.
fn give_up(connection: Option<Object>) {
    connection.map(Object::take);
}

impl Drop for Lease {
    fn drop(&mut self) {
        match self.state {
            State::Committed => {}
            State::Running => give_up(self.connection.take()),
            State::Open | State::Failed => {
                if let Some(connection) = &self.connection {
                    // After one poll it is sent; the next user of the connection comes after it.
                    let _ = pin!(connection.batch_execute("ROLLBACK")).as_mut().poll(&mut Context::from_waker(Waker::noop()));
                }
            }
        }
    }
}
