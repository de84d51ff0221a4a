//! The schema, step by step, under the numbers of the embedded engine's. A step that was released never changes.
//!
//! Old and new programs run side by side while nodes are upgraded one by one. So a step only adds what the old ones can do without,
//! and what nobody uses any more goes in a later step. How old a program may be is kept beside the number of the schema.

use std::time::Duration;

use tokio::time::timeout;
use tokio_postgres::Client;

use super::connect::Address;
use super::failure::{failure, silent};
use super::run::Failed;
use crate::Error;
use crate::error::SetupProblem;

/// The schema's number is the count of steps taken.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/postgres/0001_initial.sql"),
    include_str!("../migrations/postgres/0002_market.sql"),
    include_str!("../migrations/postgres/0003_imports.sql"),
    include_str!("../migrations/postgres/0004_web.sql"),
    include_str!("../migrations/postgres/0005_privacy.sql"),
    include_str!("../migrations/postgres/0006_oauth.sql"),
    include_str!("../migrations/postgres/0007_followers.sql"),
    include_str!("../migrations/postgres/0008_positions.sql"),
    include_str!("../migrations/postgres/0009_doors.sql"),
];

/// The oldest schema whose programs can work with what the last step leaves.
const OLDEST_BESIDE: i64 = 9;

/// Any number, as long as every node has the same.
const LOCK: i64 = 0x4452_4950_0000_0000;

/// For a server that has just been started, too.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Takes the steps that are missing, all or none, while other nodes that start wait.
pub(super) async fn run(address: &Address) -> Result<(), Error> {
    let connecting = timeout(CONNECT_TIMEOUT, address.connect()).await.map_err(|_| silent())?;
    let (client, _task) = connecting.map_err(|error| failure(&error))?;
    take(&client, MIGRATIONS, OLDEST_BESIDE).await
}

async fn take(client: &Client, migrations: &[&str], oldest_beside: i64) -> Result<(), Error> {
    let known = migrations.len() as i64;
    if is_served(schema(client).await?, known)? {
        return Ok(());
    }
    execute(client, &format!("BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock({LOCK})")).await?;
    // Read again in turn: another node may have migrated meanwhile.
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

/// None of a database that is not ours, or not yet.
async fn schema(client: &Client) -> Result<Option<Schema>, Error> {
    // By the catalogue's rows: what `to_regclass` says may be what was true before the lock was waited for.
    let there = "SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'schema_version')";
    let there: bool = one(client, there).await?.get(0);
    if !there {
        return Ok(None);
    }
    let row = one(client, "SELECT version, oldest_beside FROM schema_version").await?;
    Ok(Some(Schema { version: row.get(0), oldest_beside: row.get(1) }))
}

/// Whether nothing is to be done; a schema that this program is too old for is refused.
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
