//! A list of entries as a ledger file, in the order of the list.

use std::fs::File;
use std::io::{Seek, Write};

use store::Tx;
use store::entries;
use uuid::Uuid;

use super::Selection;
use super::export::records;
use super::filter::{Filter, matching};
use crate::accounts::audit::{self, Event};
use crate::import::source::off_the_runtime;
use crate::operations::{disk, job_limit};
use crate::portfolios::account::Account;
use crate::{App, Error, WorkingFile};

/// A list is for everyday use, so that it takes no password; but nobody needs it all the time.
pub const A_DAY_MAX: usize = 50;

/// In an unnamed file that disappears when it is closed, ready to be read from its start.
pub struct ListFile {
    pub file: File,
    pub bytes: u64,
}

/// Everything that the filter lists.
pub async fn of_filter(app: &App, user_id: Uuid, filter: &Filter) -> Result<ListFile, Error> {
    let _turn = job_limit::turn(app, user_id).await?;
    audit::admit_export(app, user_id, Event::TransactionsExported, A_DAY_MAX).await?;
    let mut tx = app.store.read().await?;
    let sequences = matching(&mut tx, user_id, filter).await?;
    write(app, &mut tx, user_id, &sequences).await
}

pub async fn of_selection(app: &App, user_id: Uuid, selection: &Selection) -> Result<ListFile, Error> {
    let _turn = job_limit::turn(app, user_id).await?;
    let selected = selection.load(&mut app.store.read().await?, user_id).await?;
    let sequences: Vec<i64> = selected.iter().map(|entry| entry.sequence).collect();
    audit::admit_export(app, user_id, Event::TransactionsExported, A_DAY_MAX).await?;
    let mut tx = app.store.read().await?;
    write(app, &mut tx, user_id, &sequences).await
}

async fn write(app: &App, tx: &mut Tx, user_id: Uuid, sequences: &[i64]) -> Result<ListFile, Error> {
    let account = Account::load(tx, user_id, None).await?;
    let mut file = disk::unnamed_file(app).map_err(unwritten)?;
    let records = records(entries::some(tx, user_id, sequences).await?, &account);
    let written = off_the_runtime(move || {
        let rows = importers::write_ledger_file(&records);
        file.write_all(&rows)?;
        file.rewind()?;
        Ok(ListFile { file, bytes: rows.len() as u64 })
    });
    written.await.map_err(unwritten)
}

fn unwritten(error: std::io::Error) -> Error {
    Error::WorkingFile { role: WorkingFile::Export, cause: error }
}
