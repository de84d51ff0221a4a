//! Statements on a connection.

use std::error::Error as StdError;
use std::pin::pin;
use std::time::Duration;

use deadpool_postgres::ClientWrapper;
use futures_util::future::try_join_all;
use futures_util::{StreamExt, TryStreamExt};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{IsNull, ToSql, to_sql_checked};
use tokio_postgres::{Client, RowStream};

use super::failure::{breaks_connection, failure, silent};
use super::numeric;
use super::patience::Patience;
use crate::Error;
use crate::row::{Row, Values};
use crate::statement::{Param, Statement, Type};

/// How many rows are on their way at once: each waits for no answer of the one before.
const IN_FLIGHT: usize = 128;

/// How transactions and look-ups go about it.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    /// Whether statements are prepared once for a connection, or anew each time where a pooler changes it behind our back.
    pub(super) prepared: bool,
    pub(super) patience: Duration,
}

impl Terms {
    pub(super) fn manner(self) -> Manner {
        Manner { prepared: self.prepared, patience: Patience::of(self.patience) }
    }
}

/// How the statements of one transaction, or of one look-up, are put.
#[derive(Clone)]
pub(super) struct Manner {
    prepared: bool,
    pub(super) patience: Patience,
}

/// What went wrong with a statement, and what it means for the connection.
pub(super) struct Failed {
    pub(super) error: Error,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// The connection is as good as before.
    Refused,
    /// Others have the turn, or the row.
    Waits,
    /// The connection is lost, or leads to where it should not.
    Gone,
    /// Nothing was said in time; the connection is not to be used again.
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

impl Manner {
    pub(super) async fn query<T>(
        &self,
        client: &ClientWrapper,
        statement: &'static Statement,
        params: &[Param<'_>],
        mut map: impl FnMut(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Failed> {
        let mut rows = pin!(self.rows(client, statement, params).await?);
        let mut found = Vec::new();
        while let Some(row) = self.in_time(rows.try_next()).await? {
            found.push(map(&Row { values: Values::Postgres(&row), statement }).map_err(Failed::ours)?);
        }
        Ok(found)
    }

    pub(super) async fn query_one<T>(
        &self,
        client: &ClientWrapper,
        statement: &'static Statement,
        params: &[Param<'_>],
        map: impl FnOnce(&Row<'_>) -> Result<T, Error>,
    ) -> Result<Option<T>, Failed> {
        let mut rows = pin!(self.rows(client, statement, params).await?);
        match self.in_time(rows.try_next()).await? {
            Some(row) => map(&Row { values: Values::Postgres(&row), statement }).map(Some).map_err(Failed::ours),
            None => Ok(None),
        }
    }

    /// Returns how many rows were changed.
    pub(super) async fn execute_all<'a, P: AsRef<[Param<'a>]>>(
        &self,
        client: &ClientWrapper,
        statement: &'static Statement,
        rows: &[P],
    ) -> Result<u64, Failed> {
        for params in rows {
            check(statement, params.as_ref())?;
        }
        let prepared = self.prepare(client, statement).await?;
        let mut changed = 0;
        for some in rows.chunks(IN_FLIGHT) {
            let counts = match &prepared {
                Some(prepared) => {
                    let runs = some.iter().map(|params| client.execute_raw(prepared, params.as_ref()));
                    self.in_time(try_join_all(runs)).await?
                }
                None => {
                    let runs = some.iter().map(|params| execute_typed(client, statement, params.as_ref()));
                    self.in_time(try_join_all(runs)).await?
                }
            };
            changed += counts.into_iter().sum::<u64>();
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
        check(statement, params)?;
        Ok(match self.prepare(client, statement).await? {
            Some(prepared) => self.in_time(client.query_raw(&prepared, params)).await?,
            None => self.in_time(client.query_typed_raw(statement.sql, typed(statement, params))).await?,
        })
    }

    async fn prepare(
        &self,
        client: &ClientWrapper,
        statement: &'static Statement,
    ) -> Result<Option<tokio_postgres::Statement>, Failed> {
        if !self.prepared {
            return Ok(None);
        }
        let types: Vec<_> = statement.params.iter().map(|kind| wire(*kind)).collect();
        Ok(Some(self.in_time(client.prepare_typed_cached(statement.sql, &types)).await?))
    }

    /// A server that is frozen, or a network that is cut, says nothing at all.
    async fn in_time<T, E: Into<Failed>>(&self, work: impl Future<Output = Result<T, E>>) -> Result<T, Failed> {
        self.patience.wait(work).await.ok_or_else(Failed::silent)?.map_err(Into::into)
    }
}

fn check(statement: &'static Statement, params: &[Param<'_>]) -> Result<(), Failed> {
    statement.check(params).map_err(Failed::ours)
}

async fn execute_typed(
    client: &Client,
    statement: &'static Statement,
    params: &[Param<'_>],
) -> Result<u64, tokio_postgres::Error> {
    let mut rows = pin!(client.query_typed_raw(statement.sql, typed(statement, params)).await?);
    while let Some(row) = rows.next().await {
        row?;
    }
    Ok(rows.rows_affected().unwrap_or(0))
}

fn typed<'p, 'a>(
    statement: &'static Statement,
    params: &'p [Param<'a>],
) -> impl ExactSizeIterator<Item = (&'p Param<'a>, tokio_postgres::types::Type)> {
    params.iter().zip(statement.params.iter().map(|kind| wire(*kind)))
}

/// The type of a parameter or a column in PostgreSQL.
pub(super) fn wire(kind: Type) -> tokio_postgres::types::Type {
    use tokio_postgres::types::Type as Wire;
    match kind {
        Type::Text => Wire::TEXT,
        Type::Integer => Wire::INT8,
        Type::Boolean => Wire::BOOL,
        Type::Decimal => Wire::NUMERIC,
        Type::Date => Wire::DATE,
        Type::Uuid => Wire::UUID,
        Type::Bytes => Wire::BYTEA,
    }
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        kind: &tokio_postgres::types::Type,
        out: &mut tokio_postgres::types::private::BytesMut,
    ) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Param::Null => Ok(IsNull::Yes),
            Param::Text(text) => text.to_sql(kind, out),
            Param::Integer(integer) => integer.to_sql(kind, out),
            Param::Boolean(boolean) => boolean.to_sql(kind, out),
            Param::Decimal(decimal) => {
                out.extend_from_slice(&numeric::encode(*decimal));
                Ok(IsNull::No)
            }
            Param::Date(date) => date.to_sql(kind, out),
            Param::Uuid(uuid) => uuid.to_sql(kind, out),
            Param::Bytes(bytes) => bytes.to_sql(kind, out),
        }
    }

    /// [`Statement::check`] has compared them with what was declared.
    fn accepts(_: &tokio_postgres::types::Type) -> bool {
        true
    }

    to_sql_checked!();
}
