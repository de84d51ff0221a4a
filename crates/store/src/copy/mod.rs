//! Copies a whole database into another, of either engine: every row of every table, compared with its original at the end.
//!
//! The source is read in one transaction, so the copy is of one moment. The target is written in small ones; an interrupted copy
//! is resumed, whatever has changed in the source since.

pub(crate) mod file;
mod pass;
mod tables;
pub(crate) mod unfinished;
mod value;
mod walk;

pub use tables::{TABLES, Table};
pub use unfinished::is_unfinished;

pub(crate) use tables::statements;

use crate::error::CopyProblem;
use crate::{Error, Store, Tx, sqlite, versions};
use pass::Pass;
use unfinished::Marker;

/// The progress of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub doing: Doing,
    pub table: &'static str,
    pub done: u64,
    /// Rows of the table in the source.
    pub total: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// Deletes rows of an earlier copy that are no longer the same.
    Clearing,
    Copying,
    Checking,
}

/// Called after each transaction; an error stops the copy.
pub type OnStep<'a> = dyn FnMut(Step) -> Result<(), Error> + Send + 'a;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// Rows by table.
    pub tables: Vec<(&'static str, u64)>,
}

/// Makes `to` equal to the current state of `from`; nobody may serve `to` meanwhile. Refuses a target that is neither empty nor
/// an unfinished copy.
pub async fn run(from: &Store, to: &Store, on_step: &mut OnStep<'_>) -> Result<Copied, Error> {
    for store in [from, to] {
        refuse_newer(store.schema_version().await?)?;
    }
    let mut source = from.read().await?;
    if is_unfinished(&mut source).await? {
        return Err(CopyProblem::SourceUnfinished.into());
    }
    let mut totals = Vec::new();
    for table in TABLES {
        totals.push(count(&mut source, table).await?);
    }
    let marker = Marker::set(to).await?;
    let mut pass = Pass { source, to, marker: &marker, totals, on_step };
    pass.clear().await?;
    pass.copy().await?;
    let tables = pass.check().await?;
    marker.clear(to).await?;
    Ok(Copied { tables })
}

/// A newer node may have added columns that this program would not copy.
fn refuse_newer(found: i64) -> Result<(), Error> {
    let known = sqlite::known_schema();
    if found > known { Err(Error::NewerSchema { found, known }) } else { Ok(()) }
}

async fn count(tx: &mut Tx, table: &'static Table) -> Result<u64, Error> {
    let counted = tx.query_one(table.count, &[], |row| row.i64(0)).await?;
    Ok(counted.and_then(|rows| u64::try_from(rows).ok()).unwrap_or(0))
}

/// A server ends transactions that are idle for a minute.
async fn keep_awake(source: &mut Tx) -> Result<(), Error> {
    versions::get(source).await.map(drop)
}
