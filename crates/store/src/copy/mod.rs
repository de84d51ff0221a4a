//! Copies a whole database into another, of either engine: every row of every table, compared with its original at the end.
//!
//! The source is read in one transaction, so the copy is of one moment. The target is written in small ones; an interrupted copy
//! is resumed, whatever has changed in the source since.

pub(crate) mod file;
mod pass;
mod tables;
pub(crate) mod unfinished;
mod walk;

pub use pass::{Doing, OnStep, Step};
pub use tables::{TABLES, Table};
pub use unfinished::is_unfinished;

pub(crate) use tables::statements;

use crate::error::CopyProblem;
use crate::migrations::{SQLITE, refuse_newer};
use crate::{Error, Store};
use pass::Pass;
use unfinished::Marker;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// Rows by table.
    pub tables: Vec<(&'static str, u64)>,
}

/// Makes `to` equal to the current state of `from`; nobody may serve `to` meanwhile. Refuses a target that is neither empty nor
/// an unfinished copy.
pub async fn run(from: &Store, to: &Store, on_step: &mut OnStep<'_>) -> Result<Copied, Error> {
    for store in [from, to] {
        refuse_newer(store.schema_version().await?, SQLITE)?;
    }
    let mut source = from.read().await?;
    if is_unfinished(&mut source).await? {
        return Err(CopyProblem::SourceUnfinished.into());
    }
    let mut totals = Vec::new();
    for table in TABLES.iter() {
        totals.push(table.rows(&mut source).await?);
    }
    let marker = Marker::set(to).await?;
    let mut pass = Pass { source, to, marker: &marker, totals, on_step };
    pass.clear().await?;
    pass.copy().await?;
    let tables = pass.check().await?;
    marker.clear(to).await?;
    Ok(Copied { tables })
}
