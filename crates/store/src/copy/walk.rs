//! Walks through the rows of a table by key, a page at a time.

use std::collections::VecDeque;

use super::tables::Table;
use super::unfinished;
use crate::row::Row;
use crate::value::Param;
use crate::{Error, Tx};

pub(super) struct Walk {
    table: &'static Table,
    page: VecDeque<Vec<Param<'static>>>,
    /// The key of the last row read.
    last: Option<Vec<Param<'static>>>,
    ended: bool,
}

impl Walk {
    pub(super) fn new(table: &'static Table) -> Walk {
        Walk { table, page: VecDeque::new(), last: None, ended: false }
    }

    pub(super) async fn next(&mut self, tx: &mut Tx) -> Result<Option<Vec<Param<'static>>>, Error> {
        self.fill(tx).await?;
        Ok(self.page.pop_front())
    }

    /// The row with this key, if there is one. Skips the rows before it.
    pub(super) async fn at(&mut self, tx: &mut Tx, key: &[Param<'static>]) -> Result<Option<&Vec<Param<'static>>>, Error> {
        loop {
            self.fill(tx).await?;
            match self.page.front() {
                Some(row) if row[..self.table.keys] < *key => self.page.pop_front(),
                _ => break,
            };
        }
        Ok(self.page.front().filter(|row| row[..self.table.keys] == *key))
    }

    async fn fill(&mut self, tx: &mut Tx) -> Result<(), Error> {
        while self.page.is_empty() && !self.ended {
            let rows = match &self.last {
                None => tx.query_with(&self.table.first, &[], values).await?,
                Some(key) => tx.query_with(&self.table.after, key, values).await?,
            };
            match rows.last() {
                Some(row) => self.last = Some(row[..self.table.keys].to_vec()),
                None => self.ended = true,
            }
            self.page = rows.into_iter().filter(|row| !unfinished::is_marker(self.table, row)).collect();
        }
        Ok(())
    }
}

fn values(row: &Row<'_>) -> Result<Vec<Param<'static>>, Error> {
    row.statement.columns.iter().enumerate().map(|(column, kind)| row.value(column, *kind).map(Param::into_owned)).collect()
}
