//! An imported file once more: the rows that its import left out, with what is known now.

use std::sync::Arc;

use store::entries::{self, Entry};
use store::uploads::{self, Choices};
use store::{Tx, imports, portfolios};
use uuid::Uuid;

use super::{Upload, answers, quota, run};
use crate::import::undo::{Import, unknown};
use crate::import::{Fate, Report};
use crate::operations::{disk, job_limit};
use crate::{App, Error};

/// Rows that became no entry.
pub struct LeftOut {
    /// Only these rows are in the plan, if they are still missing. Reasons are those of today.
    pub report: Report,
    /// How many of them can be imported now.
    pub readable: usize,
}

/// `None` if the import left nothing out.
pub async fn left_out(app: &Arc<App>, user_id: Uuid, import: &Import) -> Result<Option<LeftOut>, Error> {
    let lines = answers::parse_lines(&import.left_out);
    if lines.is_empty() {
        return Ok(None);
    }
    let work = async {
        let mut tx = app.store.read().await?;
        let upload = upload_of(&mut tx, user_id, import).await?;
        let packed = imports::file(&mut tx, user_id, import.id).await?.unwrap_or_default();
        drop(tx);
        let mut report = run(app.clone(), user_id, (upload, packed), true).await?;
        report.plan.retain(|row| lines.contains(&row.line) && !matches!(row.fate, Fate::Existing | Fate::Repeated(_)));
        let readable = report.plan.iter().filter(|row| matches!(row.fate, Fate::New(_))).count();
        Ok(Some(LeftOut { report, readable }))
    };
    job_limit::run(app, user_id, work).await
}

/// Uploads the file of an import again, for another review.
pub async fn put_again(app: &App, user_id: Uuid, import: &Import) -> Result<Uuid, Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let packed = imports::file(&mut tx, user_id, import.id).await?.ok_or_else(|| unknown(&import.id.to_string()))?;
    disk::check(app, packed.len() as u64).await?;
    quota::make(app, &mut tx, user_id, packed.len() as u64).await?;
    let upload = upload_of(&mut tx, user_id, import).await?;
    let row = uploads::Upload {
        id: Uuid::now_v7(),
        file_name: import.file_name.clone(),
        created_at: app.clock.now_micros(),
        import_id: None,
        choices: Choices {
            answers: answers::written(&upload),
            portfolio: upload.portfolio,
            columns: None,
            keep_unresolved: upload.keep,
        },
    };
    uploads::add(&mut tx, user_id, &row, &packed).await?;
    tx.commit().await?;
    Ok(row.id)
}

/// With the format and the portfolio of the import, so that its rows are recognised. Rows with errors stay left out.
async fn upload_of(tx: &mut Tx, user_id: Uuid, import: &Import) -> Result<Upload, Error> {
    let added: Vec<Entry> = entries::of_import(tx, user_id, import.id).await?;
    let portfolio = match added.first() {
        Some(entry) => portfolios::list(tx, user_id).await?.into_iter().find(|one| one.id == entry.portfolio_id),
        None => None,
    };
    Ok(Upload {
        file_name: import.file_name.clone(),
        format: importers::by_name(&import.format).map(|format| format.name.to_owned()),
        portfolio: portfolio.map(|portfolio| portfolio.name),
        keep: true,
        skip_errors: true,
        ..Upload::default()
    })
}
