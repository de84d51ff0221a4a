//! One transaction on one connection.

use crate::Error;
use crate::row::Row;
use crate::sqlite::lease::Lease;
use crate::statement::{Param, Statement};

/// A transaction. Dropped without [`Tx::commit`], it is rolled back.
pub struct Tx {
    lease: Lease,
}

impl Tx {
    pub(crate) fn new(lease: Lease) -> Tx {
        Tx { lease }
    }

    /// Makes what was written durable and visible. After an error nothing of it is stored.
    pub async fn commit(mut self) -> Result<(), Error> {
        self.lease.commit()
    }

    pub(crate) async fn query<T>(
        &mut self,
        statement: &'static Statement,
        params: &[Param<'_>],
        map: impl FnMut(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        self.lease.query(statement, params, map)
    }

    /// The first row, if there is one.
    pub(crate) async fn query_one<T>(
        &mut self,
        statement: &'static Statement,
        params: &[Param<'_>],
        map: impl FnOnce(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        self.lease.query_one(statement, params, map)
    }

    /// Runs a statement that answers no rows; returns how many it changed.
    pub(crate) async fn execute(&mut self, statement: &'static Statement, params: &[Param<'_>]) -> Result<u64, Error> {
        self.lease.execute_all(statement, [params])
    }

    /// Runs one statement for each set of parameters, prepared once.
    pub(crate) async fn execute_all<'a, const N: usize>(
        &mut self,
        statement: &'static Statement,
        rows: impl IntoIterator<Item = [Param<'a>; N]>,
    ) -> Result<u64, Error> {
        self.lease.execute_all(statement, rows)
    }
}
