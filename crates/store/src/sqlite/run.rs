//! Runs statements on a connection.

use std::fmt::Write;

use rusqlite::types::Null;
use rusqlite::{CachedStatement, Connection};
use rust_decimal::Decimal;

use crate::Error;
use crate::row::{ReadRow, Row, Values};
use crate::statement::Statement;
use crate::value::Param;

/// An error of a statement: the engine's, which may break the connection, or ours.
pub(super) enum Failed {
    Engine(rusqlite::Error),
    Ours(Error),
}

impl From<rusqlite::Error> for Failed {
    fn from(error: rusqlite::Error) -> Self {
        Failed::Engine(error)
    }
}

/// Reads at most this number of rows.
pub(super) fn query(
    connection: &Connection,
    statement: &'static Statement,
    params: &[Param<'_>],
    most: usize,
    read: &mut ReadRow<'_>,
) -> Result<(), Failed> {
    let mut prepared = connection.prepare_cached(&statement.sql)?;
    bind(&mut prepared, statement, params)?;
    let mut rows = prepared.raw_query();
    for _ in 0..most {
        let Some(row) = rows.next()? else { break };
        read(&Row { values: Values::Sqlite(row), statement }).map_err(Failed::Ours)?;
    }
    Ok(())
}

pub(super) fn execute_all(connection: &Connection, statement: &'static Statement, rows: &[&[Param<'_>]]) -> Result<u64, Failed> {
    let mut prepared = connection.prepare_cached(&statement.sql)?;
    let (mut changed, mut before): (u64, &[Param<'_>]) = (0, &[]);
    for params in rows {
        bind_changed(&mut prepared, statement, params, before)?;
        changed += prepared.raw_execute()? as u64;
        before = *params;
    }
    Ok(changed)
}

/// BEGIN, COMMIT, ROLLBACK.
pub(super) fn control(connection: &Connection, sql: &'static str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.raw_execute().map(drop)
}

fn bind(prepared: &mut CachedStatement<'_>, statement: &'static Statement, params: &[Param<'_>]) -> Result<(), Failed> {
    bind_changed(prepared, statement, params, &[])
}

/// Bound values stay bound from one run of a statement to the next, and consecutive rows have many values in common.
fn bind_changed(
    prepared: &mut CachedStatement<'_>,
    statement: &'static Statement,
    params: &[Param<'_>],
    before: &[Param<'_>],
) -> Result<(), Failed> {
    statement.check(params).map_err(Failed::Ours)?;
    let mut text = String::new();
    for (index, param) in params.iter().enumerate() {
        if before.get(index) != Some(param) {
            put(prepared, index + 1, param, &mut text)?;
        }
    }
    Ok(())
}

/// `text` is a buffer for values written as text.
fn put(prepared: &mut CachedStatement<'_>, index: usize, param: &Param<'_>, text: &mut String) -> rusqlite::Result<()> {
    text.clear();
    // Writing to a string never fails.
    let _ = match param {
        Param::Null => return prepared.raw_bind_parameter(index, Null),
        Param::Text(text) => return prepared.raw_bind_parameter(index, text.as_ref()),
        Param::Integer(integer) => return prepared.raw_bind_parameter(index, integer),
        Param::Boolean(boolean) => return prepared.raw_bind_parameter(index, boolean),
        Param::Bytes(bytes) => return prepared.raw_bind_parameter(index, bytes.as_ref()),
        Param::Decimal(bytes) => write!(text, "{}", Decimal::deserialize(*bytes)),
        Param::Date(date) => write!(text, "{date}"),
        Param::Uuid(uuid) => write!(text, "{uuid}"),
    };
    prepared.raw_bind_parameter(index, text.as_str())
}
