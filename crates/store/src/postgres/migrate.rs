//! The schema, step by step, with the same numbers as in the embedded engine. A released step never changes.
//!
//! Old and new programs run side by side while nodes are upgraded one by one. So a step only adds what old programs do not need,
//! and what nobody uses any more is removed in a later step. How old a program may be is stored next to the schema's number.

use std::time::Duration;

use tokio::time::timeout;
use tokio_postgres::Client;

use super::connect::Address;
use super::failure::{failure, silent};
use super::run::Failed;
use crate::Error;
use crate::error::SetupProblem;
use crate::migrations::POSTGRES;

/// The oldest schema whose programs can work with the latest one.
const OLDEST_BESIDE: i64 = 9;

/// An arbitrary number that is the same on every node.
const LOCK: i64 = 0x4452_4950_0000_0000;

/// Long enough for a server that has just started.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Applies the missing steps, all or none, while other starting nodes wait.
pub(super) async fn run(address: &Address) -> Result<(), Error> {
    let connecting = timeout(CONNECT_TIMEOUT, address.connect()).await.map_err(|_| silent())?;
    let (client, _task) = connecting.map_err(|error| failure(&error))?;
    take(&client, POSTGRES, OLDEST_BESIDE).await
}

async fn take(client: &Client, migrations: &[&str], oldest_beside: i64) -> Result<(), Error> {
    let known = migrations.len() as i64;
    if is_served(schema(client).await?, known)? {
        return Ok(());
    }
    execute(client, &format!("BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock({LOCK})")).await?;
    // Read again under the lock: another node may have migrated meanwhile.
    let found = schema(client).await?;
    if is_served(found, known)? {
        return execute(client, "ROLLBACK").await;
    }
    let taken = match found {
        Some(found) => found.version,
        None => {
            refuse_foreign(client).await?;
            execute(client, "CREATE TABLE schema_version (version BIGINT NOT NULL, oldest_beside BIGINT NOT NULL)").await?;
            execute(client, "INSERT INTO schema_version VALUES (0, 0)").await?;
            0
        }
    };
    for step in usize::try_from(taken).ok().and_then(|taken| migrations.get(taken..)).unwrap_or_default() {
        execute(client, step).await?;
    }
    execute(client, &format!("UPDATE schema_version SET version = {known}, oldest_beside = {oldest_beside}; COMMIT")).await
}

#[derive(Clone, Copy)]
struct Schema {
    version: i64,
    oldest_beside: i64,
}

/// `None` if the database is not ours, or not yet.
async fn schema(client: &Client) -> Result<Option<Schema>, Error> {
    // Reads the catalogue's rows, because `to_regclass` may answer as of before the lock was acquired.
    let there = "SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'schema_version')";
    let there: bool = one(client, there).await?.get(0);
    if !there {
        return Ok(None);
    }
    let row = one(client, "SELECT version, oldest_beside FROM schema_version").await?;
    Ok(Some(Schema { version: row.get(0), oldest_beside: row.get(1) }))
}

/// Whether there is nothing to do. Refuses a schema that is too new for this program.
fn is_served(found: Option<Schema>, known: i64) -> Result<bool, Error> {
    match found {
        Some(found) if found.oldest_beside > known => Err(Error::NewerSchema { found: found.version, known }),
        Some(found) => Ok(found.version >= known),
        None => Ok(false),
    }
}

async fn refuse_foreign(client: &Client) -> Result<(), Error> {
    let count = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()";
    match one(client, count).await?.get::<_, i64>(0) {
        0 => Ok(()),
        _ => Err(SetupProblem::TablesOfAnotherProgram.into()),
    }
}

async fn one(client: &Client, sql: &str) -> Result<tokio_postgres::Row, Error> {
    client.query_typed(sql, &[]).await.map_err(|error| failure(&error))?.pop().ok_or_else(super::failure::unreachable)
}

async fn execute(client: &Client, sql: &str) -> Result<(), Error> {
    client.batch_execute(sql).await.map_err(|error| Failed::from(error).error)
}
