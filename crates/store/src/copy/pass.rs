//! Three passes over the tables: delete what is not in the source, add what is missing, compare everything.

use std::collections::HashSet;

use super::tables::{TABLES, Table};
use super::unfinished::Marker;
use super::walk::Walk;
use crate::error::CopyProblem;
use crate::value::Param;
use crate::{Error, Store, Tx, versions};

/// Rows per transaction, and how much of them is kept in memory.
const ROWS: usize = 1_000;
const BYTES: usize = 8 << 20;

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

pub(super) struct Pass<'a, 't> {
    pub(super) source: Tx,
    pub(super) to: &'a Store,
    pub(super) marker: &'a Marker,
    /// In the order of the tables.
    pub(super) totals: Vec<u64>,
    pub(super) on_step: &'a mut OnStep<'t>,
}

impl Pass<'_, '_> {
    /// Children first. All remaining rows are also in the source, so they cannot conflict with those added later.
    pub(super) async fn clear(&mut self) -> Result<(), Error> {
        let changed = self.changed_users().await?;
        for (index, table) in TABLES.iter().enumerate().rev() {
            let (mut original, mut found, mut done) = (Walk::new(table), Walk::new(table), 0);
            loop {
                let mut tx = self.write().await?;
                let (mut looked_at, mut doomed) = (0, Vec::new());
                while looked_at < ROWS
                    && let Some(mut row) = found.next(&mut tx).await?
                {
                    looked_at += 1;
                    let stays = !owner(table, &row).is_some_and(|user| changed.contains(user))
                        && original.at(&mut self.source, &row[..table.keys]).await? == Some(&row);
                    if !stays {
                        row.truncate(table.keys);
                        doomed.push(row);
                    }
                }
                if looked_at == 0 {
                    break;
                }
                if !doomed.is_empty() {
                    tx.execute_rows(&table.delete, &doomed).await?;
                    tx.commit().await?;
                }
                done += looked_at as u64;
                self.report(Doing::Clearing, index, done).await?;
            }
        }
        Ok(())
    }

    /// Users with a changed row that other rows may refer to: all their rows are deleted, so that none refers to it.
    async fn changed_users(&mut self) -> Result<HashSet<Param<'static>>, Error> {
        let mut changed = HashSet::new();
        let mut tx = self.to.read().await?;
        for table in TABLES.iter().filter(|table| table.is_parent()) {
            let (mut original, mut found) = (Walk::new(table), Walk::new(table));
            while let Some(row) = found.next(&mut tx).await? {
                if original.at(&mut self.source, &row[..table.keys]).await? != Some(&row) {
                    changed.extend(owner(table, &row).cloned());
                }
            }
        }
        Ok(changed)
    }

    /// Parents first.
    pub(super) async fn copy(&mut self) -> Result<(), Error> {
        for (index, table) in TABLES.iter().enumerate() {
            let (mut original, mut found, mut done) = (Walk::new(table), Walk::new(table), 0);
            loop {
                let mut tx = self.write().await?;
                let (mut looked_at, mut bytes, mut missing) = (0, 0, Vec::new());
                while looked_at < ROWS
                    && bytes < BYTES
                    && let Some(row) = original.next(&mut self.source).await?
                {
                    looked_at += 1;
                    if found.at(&mut tx, &row[..table.keys]).await?.is_none() {
                        bytes += row.iter().map(size).sum::<usize>();
                        missing.push(row);
                    }
                }
                if looked_at == 0 {
                    break;
                }
                if !missing.is_empty() {
                    tx.execute_rows(&table.insert, &missing).await?;
                    tx.commit().await?;
                }
                done += looked_at as u64;
                self.report(Doing::Copying, index, done).await?;
            }
        }
        Ok(())
    }

    /// Compares every row and value; returns the number of rows per table.
    pub(super) async fn check(&mut self) -> Result<Vec<(&'static str, u64)>, Error> {
        let mut tx = self.to.read().await?;
        let mut tables = Vec::new();
        for (index, table) in TABLES.iter().enumerate() {
            let (mut original, mut found, mut done) = (Walk::new(table), Walk::new(table), 0);
            loop {
                let (expected, row) = (original.next(&mut self.source).await?, found.next(&mut tx).await?);
                if expected != row {
                    return Err(different(table));
                }
                if row.is_none() {
                    break;
                }
                done += 1;
                if done % ROWS as u64 == 0 {
                    self.report(Doing::Checking, index, done).await?;
                }
            }
            self.report(Doing::Checking, index, done).await?;
            tables.push((table.name, done));
        }
        Ok(tables)
    }

    async fn write(&self) -> Result<Tx, Error> {
        let mut tx = self.to.write().await?;
        self.marker.check(&mut tx).await?;
        Ok(tx)
    }

    async fn report(&mut self, doing: Doing, index: usize, done: u64) -> Result<(), Error> {
        // A server ends transactions that are idle for a minute.
        versions::get(&mut self.source).await?;
        (self.on_step)(Step { doing, table: TABLES[index].name, done, total: self.totals[index] })
    }
}

fn owner<'r>(table: &Table, row: &'r [Param<'static>]) -> Option<&'r Param<'static>> {
    row.get(table.owner()?)
}

/// Its approximate size in memory.
fn size(value: &Param<'_>) -> usize {
    size_of::<Param<'_>>()
        + match value {
            Param::Text(text) => text.len(),
            Param::Bytes(bytes) => bytes.len(),
            _ => 0,
        }
}

fn different(table: &Table) -> Error {
    CopyProblem::Differs { table: table.name }.into()
}
