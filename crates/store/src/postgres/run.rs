//! Runs statements on a connection.

use std::error::Error as StdError;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use deadpool_postgres::ClientWrapper;
use futures_util::future::try_join_all;
use futures_util::{StreamExt, TryStreamExt};
use rust_decimal::Decimal;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{IsNull, ToSql, Type as Wire, to_sql_checked};
use tokio_postgres::{Client, RowStream, Statement as Prepared};

use super::batch::{self, Batch, ROWS, ROWS_MIN};
use super::failure::{breaks_connection, failure, silent};
use super::numeric;
use super::wait_budget::WaitBudget;
use crate::Error;
use crate::row::{ReadRow, ReadRowOf, Row, Values};
use crate::statement::Statement;
use crate::value::Param;

/// Settings that transactions and look-ups share.
#[derive(Clone, Copy)]
pub(super) struct RunSettings {
    /// Whether statements are prepared once per connection, or every time because a pooler may switch connections.
    pub(super) prepared: bool,
    pub(super) wait_limit: Duration,
}

impl RunSettings {
    pub(super) fn options(self) -> RunOptions {
        RunOptions { prepared: self.prepared, wait_budget: WaitBudget::of(self.wait_limit) }
    }
}

/// How the statements of one transaction or look-up are run.
#[derive(Clone)]
pub(super) struct RunOptions {
    prepared: bool,
    pub(super) wait_budget: WaitBudget,
}

/// An error of a statement, and what it means for the connection.
pub(super) struct Failed {
    pub(super) error: Error,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// The connection can still be used.
    Refused,
    /// Somebody else holds the lock or the row.
    Waits,
    /// The connection is lost, or leads to the wrong server.
    Gone,
    /// No answer in time; the connection must not be reused.
    Silent,
}

impl Failed {
    pub(super) fn silent() -> Failed {
        Failed { error: silent(), kind: Kind::Silent }
    }

    pub(super) fn ours(error: Error) -> Failed {
        Failed { error, kind: Kind::Refused }
    }

    pub(super) fn is_broken(&self) -> bool {
        matches!(self.kind, Kind::Gone | Kind::Silent)
    }
}

impl From<tokio_postgres::Error> for Failed {
    fn from(error: tokio_postgres::Error) -> Self {
        let kind = match error.code() {
            _ if breaks_connection(&error) => Kind::Gone,
            Some(code) if *code == SqlState::LOCK_NOT_AVAILABLE => Kind::Waits,
            _ => Kind::Refused,
        };
        Failed { error: failure(&error), kind }
    }
}

impl RunOptions {
    /// Reads at most this number of rows.
    pub(super) async fn query(
        &self,
        client: &ClientWrapper,
        statement: &'static Statement,
        params: &[Param<'_>],
        most: usize,
        read: &mut ReadRow<'_>,
    ) -> Result<(), Failed> {
        let mut rows = pin!(self.rows(client, statement, params).await?);
        for _ in 0..most {
            let Some(row) = self.in_time(rows.try_next()).await? else { break };
            read(&Row { values: Values::Postgres(&row), statement }).map_err(Failed::ours)?;
        }
        Ok(())
    }

    /// The rows of one query per set of parameters, pipelined.
    pub(super) async fn query_all(
        &self,
        client: &ClientWrapper,
        statement: &'static Statement,
        sets: &[&[Param<'_>]],
        read: &mut ReadRowOf<'_>,
    ) -> Result<(), Failed> {
        if sets.is_empty() {
            return Ok(());
        }
        let (types, prepared) = self.prepare(client, statement).await?;
        let read = Mutex::new(read);
        for (at, some) in sets.chunks(ROWS).enumerate() {
            let asked = some.iter().zip(at * ROWS..).map(async |(params, set)| {
                let mut rows = pin!(stream(client, statement, (&types, prepared.as_ref()), params).await?);
                while let Some(row) = rows.try_next().await? {
                    let mut read = read.lock().unwrap_or_else(PoisonError::into_inner);
                    read(set, &Row { values: Values::Postgres(&row), statement }).map_err(Failed::ours)?;
                }
                Ok::<_, Failed>(())
            });
            self.in_time_for(some.len(), try_join_all(asked)).await?;
        }
        Ok(())
    }

    /// Returns how many rows were changed.
    pub(super) async fn execute_all(
        &self,
        client: &ClientWrapper,
        statement: &'static Statement,
        rows: &[&[Param<'_>]],
    ) -> Result<u64, Failed> {
        for params in rows {
            check(statement, params)?;
        }
        match (rows.len() >= ROWS_MIN).then(|| Batch::parse(statement)).flatten() {
            Some(batch) => self.execute_batches(client, statement, &batch, rows).await,
            None => self.execute_each(client, statement, rows).await,
        }
    }

    async fn execute_batches(
        &self,
        client: &ClientWrapper,
        statement: &'static Statement,
        batch: &Batch,
        mut rows: &[&[Param<'_>]],
    ) -> Result<u64, Failed> {
        let types: Vec<_> = statement.params.iter().map(|kind| batch::names(*kind).2).collect();
        let prepared = self.prepare_typed(client, &batch.sql, &types).await?;
        let mut changed = 0;
        while !rows.is_empty() {
            let (some, others) = rows.split_at(batch.end(rows));
            let columns = batch::columns(statement, some);
            let work = execute(client, &batch.sql, (&types, prepared.as_ref()), &columns);
            changed += self.in_time_for(some.len(), work).await?;
            rows = others;
        }
        Ok(changed)
    }

    /// In order and pipelined.
    async fn execute_each(
        &self,
        client: &ClientWrapper,
        statement: &'static Statement,
        rows: &[&[Param<'_>]],
    ) -> Result<u64, Failed> {
        let (types, prepared) = self.prepare(client, statement).await?;
        let mut changed = 0;
        for some in rows.chunks(ROWS) {
            let runs = some.iter().map(|params| execute(client, &statement.sql, (&types, prepared.as_ref()), params));
            changed += self.in_time_for(some.len(), try_join_all(runs)).await?.into_iter().sum::<u64>();
        }
        Ok(changed)
    }

    /// Several statements without parameters, such as BEGIN or COMMIT.
    pub(super) async fn control(&self, client: &Client, sql: &str) -> Result<(), Failed> {
        self.in_time(client.batch_execute(sql)).await
    }

    async fn rows(
        &self,
        client: &ClientWrapper,
        statement: &'static Statement,
        params: &[Param<'_>],
    ) -> Result<RowStream, Failed> {
        let (types, prepared) = self.prepare(client, statement).await?;
        self.in_time(stream(client, statement, (&types, prepared.as_ref()), params)).await
    }

    async fn prepare(
        &self,
        client: &ClientWrapper,
        statement: &'static Statement,
    ) -> Result<(Vec<Wire>, Option<Prepared>), Failed> {
        let types: Vec<_> = statement.params.iter().map(|kind| batch::names(*kind).1).collect();
        let prepared = self.prepare_typed(client, &statement.sql, &types).await?;
        Ok((types, prepared))
    }

    async fn prepare_typed(&self, client: &ClientWrapper, sql: &str, types: &[Wire]) -> Result<Option<Prepared>, Failed> {
        if !self.prepared {
            return Ok(None);
        }
        Ok(Some(self.in_time(client.prepare_typed_cached(sql, types)).await?))
    }

    /// A frozen server or a broken network does not answer at all.
    async fn in_time<T, E: Into<Failed>>(&self, work: impl Future<Output = Result<T, E>>) -> Result<T, Failed> {
        self.in_time_for(1, work).await
    }

    /// The same, with time for this number of rows.
    async fn in_time_for<T, E: Into<Failed>>(&self, rows: usize, work: impl Future<Output = Result<T, E>>) -> Result<T, Failed> {
        self.wait_budget.wait_for(rows, work).await.ok_or_else(Failed::silent)?.map_err(Into::into)
    }
}

fn check(statement: &'static Statement, params: &[Param<'_>]) -> Result<(), Failed> {
    statement.check(params).map_err(Failed::ours)
}

async fn stream(
    client: &Client,
    statement: &'static Statement,
    (types, prepared): (&[Wire], Option<&Prepared>),
    params: &[Param<'_>],
) -> Result<RowStream, Failed> {
    check(statement, params)?;
    Ok(match prepared {
        Some(prepared) => client.query_raw(prepared, params).await?,
        None => client.query_typed_raw(&statement.sql, params.iter().zip(types.iter().cloned())).await?,
    })
}

/// Returns how many rows were changed.
async fn execute<T: ToSql + Sync>(
    client: &Client,
    sql: &str,
    (types, prepared): (&[Wire], Option<&Prepared>),
    params: &[T],
) -> Result<u64, tokio_postgres::Error> {
    if let Some(prepared) = prepared {
        return client.execute_raw(prepared, params).await;
    }
    let mut rows = pin!(client.query_typed_raw(sql, params.iter().zip(types.iter().cloned())).await?);
    while let Some(row) = rows.next().await {
        row?;
    }
    Ok(rows.rows_affected().unwrap_or(0))
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        kind: &Wire,
        out: &mut tokio_postgres::types::private::BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Param::Null => Ok(IsNull::Yes),
            Param::Text(text) => text.to_sql(kind, out),
            Param::Integer(integer) => integer.to_sql(kind, out),
            Param::Boolean(boolean) => boolean.to_sql(kind, out),
            Param::Decimal(bytes) => {
                out.extend_from_slice(&numeric::encode(Decimal::deserialize(*bytes)));
                Ok(IsNull::No)
            }
            Param::Date(date) => date.to_sql(kind, out),
            Param::Uuid(uuid) => uuid.to_sql(kind, out),
            Param::Bytes(bytes) => bytes.to_sql(kind, out),
        }
    }

    /// [`Statement::check`] has already compared them with the declared types.
    fn accepts(_: &Wire) -> bool {
        true
    }

    to_sql_checked!();
}
