//! A connection lent to one transaction.

use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use deadpool_postgres::Object;
use uuid::Uuid;

use super::line::Place;
use super::pool::{lock, of_user};
use super::run::{Failed, Manner};
use super::wait_budget::WaitBudget;
use crate::Error;
use crate::error::{Bug, Outage};
use crate::row::Row;
use crate::statement::{Param, Statement};

/// An open transaction. Dropping it rolls it back and returns the connection to the pool, unless it is broken.
pub(crate) struct Lease {
    /// Empty once the connection was discarded.
    connection: Option<Object>,
    manner: Manner,
    state: State,
    /// The place in this node's queue, kept until the lock is released.
    _place: Option<Place>,
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
    pub(super) fn new(connection: Object, manner: Manner) -> Lease {
        Lease { connection: Some(connection), manner, state: State::Open, _place: None }
    }

    pub(super) fn hold(&mut self, place: Option<Place>) {
        self._place = place;
    }

    /// A transaction that could not begin.
    pub(super) fn failed(connection: Object, manner: Manner) -> Lease {
        let mut lease = Lease::new(connection, manner);
        lease.state = State::Failed;
        lease
    }

    pub(crate) async fn query<T>(
        &mut self,
        statement: &'static Statement,
        params: &[Param<'_>],
        map: impl FnMut(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let manner = self.manner.clone();
        let result = manner.query(self.begin()?, statement, params, map).await;
        self.ended(result)
    }

    pub(crate) async fn query_one<T>(
        &mut self,
        statement: &'static Statement,
        params: &[Param<'_>],
        map: impl FnOnce(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let manner = self.manner.clone();
        let result = manner.query_one(self.begin()?, statement, params, map).await;
        self.ended(result)
    }

    pub(crate) async fn query_all<'a, T, P: AsRef<[Param<'a>]>>(
        &mut self,
        statement: &'static Statement,
        sets: &[P],
        map: impl FnMut(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Vec<Vec<T>>, Error> {
        let manner = self.manner.clone();
        let result = manner.query_all(self.begin()?, statement, sets, map).await;
        self.ended(result)
    }

    pub(crate) async fn execute_all<'a, P: AsRef<[Param<'a>]>>(
        &mut self,
        statement: &'static Statement,
        rows: &[P],
    ) -> Result<u64, Error> {
        let manner = self.manner.clone();
        let result = manner.execute_all(self.begin()?, statement, rows).await;
        self.ended(result)
    }

    pub(crate) async fn commit(&mut self) -> Result<(), Error> {
        let manner = self.manner.clone();
        let result = manner.control(self.begin()?, "COMMIT").await;
        // If the connection was lost on the way, nobody knows whether the commit arrived.
        let unknown = matches!(&result, Err(failed) if failed.is_broken());
        self.ended(result).map_err(|error| if unknown { commit_unknown() } else { error })?;
        self.state = State::Committed;
        Ok(())
    }

    /// Also takes the lock of one user, until the end.
    pub(crate) async fn take_turn(&mut self, user_id: Uuid) -> Result<(), Error> {
        let manner = self.manner.clone();
        let result = manner.control(self.begin()?, &lock(of_user(user_id))).await;
        self.ended(result)
    }

    pub(crate) async fn at_length(&mut self) -> Result<(), Error> {
        let manner = self.manner.clone();
        let result = manner.control(self.begin()?, "SET LOCAL statement_timeout = '60s'").await;
        self.manner.wait_budget = WaitBudget::alone(Duration::from_secs(60));
        self.ended(result)
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
