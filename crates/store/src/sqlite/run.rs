//! Statements on a connection.

use std::path::Path;

use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{CachedStatement, Connection, ToSql};

use super::failure::failure;
use crate::Error;
use crate::row::{Row, Values};
use crate::statement::{Param, Statement};

/// What went wrong with a statement: the engine's word, which may break the connection, or ours.
pub(super) enum Failed {
    Engine(rusqlite::Error),
    Ours(Error),
}

impl Failed {
    pub(super) fn told(self, path: &Path) -> Error {
        match self {
            Failed::Engine(error) => failure(path, error),
            Failed::Ours(error) => error,
        }
    }
}

impl From<rusqlite::Error> for Failed {
    fn from(error: rusqlite::Error) -> Self {
        Failed::Engine(error)
    }
}

pub(super) fn query<T>(
    connection: &Connection,
    statement: &'static Statement,
    params: &[Param<'_>],
    mut map: impl FnMut(&Row<'_>) -> Result<T, Error>,
) -> Result<Vec<T>, Failed> {
    let mut prepared = connection.prepare_cached(statement.sql)?;
    bind(&mut prepared, statement, params)?;
    let mut rows = prepared.raw_query();
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(map(&Row { values: Values::Sqlite(row), statement }).map_err(Failed::Ours)?);
    }
    Ok(found)
}

pub(super) fn query_one<T>(
    connection: &Connection,
    statement: &'static Statement,
    params: &[Param<'_>],
    map: impl FnOnce(&Row<'_>) -> Result<T, Error>,
) -> Result<Option<T>, Failed> {
    let mut prepared = connection.prepare_cached(statement.sql)?;
    bind(&mut prepared, statement, params)?;
    let mut rows = prepared.raw_query();
    match rows.next()? {
        Some(row) => map(&Row { values: Values::Sqlite(row), statement }).map(Some).map_err(Failed::Ours),
        None => Ok(None),
    }
}

pub(super) fn execute_all<'a, P: AsRef<[Param<'a>]>>(
    connection: &Connection,
    statement: &'static Statement,
    rows: impl IntoIterator<Item = P>,
) -> Result<u64, Failed> {
    let mut prepared = connection.prepare_cached(statement.sql)?;
    let mut changed = 0;
    for params in rows {
        bind(&mut prepared, statement, params.as_ref())?;
        changed += prepared.raw_execute()? as u64;
    }
    Ok(changed)
}

/// BEGIN, COMMIT, ROLLBACK.
pub(super) fn control(connection: &Connection, sql: &'static str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.raw_execute().map(drop)
}

fn bind(prepared: &mut CachedStatement<'_>, statement: &'static Statement, params: &[Param<'_>]) -> Result<(), Failed> {
    statement.check(params).map_err(Failed::Ours)?;
    for (index, param) in params.iter().enumerate() {
        prepared.raw_bind_parameter(index + 1, param)?;
    }
    Ok(())
}

impl ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Param::Null => ToSqlOutput::Owned(Value::Null),
            Param::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Param::Integer(integer) => ToSqlOutput::Owned(Value::Integer(*integer)),
            Param::Boolean(boolean) => ToSqlOutput::Owned(Value::Integer(i64::from(*boolean))),
            Param::Decimal(decimal) => ToSqlOutput::Owned(Value::Text(decimal.to_string())),
            Param::Date(date) => ToSqlOutput::Owned(Value::Text(date.to_string())),
            Param::Uuid(uuid) => ToSqlOutput::Owned(Value::Text(uuid.to_string())),
            Param::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
        })
    }
}
