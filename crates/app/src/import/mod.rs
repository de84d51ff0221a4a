//! Imports files into the ledger: every row is accounted for, and a file is imported completely or not at all.

mod apply;
mod ask;
pub(crate) mod check;
mod file_bytes;
pub(crate) mod identity;
mod in_file;
mod instruments;
mod misfits;
pub(crate) mod named;
mod opening;
mod plan;
pub(crate) mod portfolio_resolver;
pub(crate) mod reason;
mod report;
pub(crate) mod source;
pub mod staged;
mod stock_cache;
mod stored_file;
pub(crate) mod symbol_remap;
mod table;
mod undo;

pub use crate::book::lots::{is_cost_estimated, is_opening};
pub use file_bytes::FileBytes;
pub use importers::{BYTES_MAX, Describe, Reason as FileReason};
pub use instruments::Question;
pub use opening::reopen::OpeningChange;
pub use opening::{MissingShares, Opening};
pub use reason::{Inconsistency, Problem, Reason};
pub use report::{Becomes, Fate, Report, Row};
pub use stored_file::{download, file, file_of};
pub use symbol_remap::map;
pub use table::{Table, columns_text, fields};
pub use undo::{Import, Undone, entries_of, import_of, list, undo, undo_in_turn, undo_of};

use ledger::{Currency, Decimal, QuoteUnit};
use uuid::Uuid;

use crate::operations::progress::{Progress, Stage};
use crate::operations::{disk, job_limit};
use crate::{App, Error, Work, matching};

#[derive(Clone, Copy, Default)]
pub struct Request<'a> {
    pub user_id: Uuid,
    pub file_name: &'a str,
    pub bytes: FileBytes<'a>,
    /// Detected by content if not given.
    pub format: Option<&'a str>,
    /// For rows without a portfolio; by default the user's default portfolio.
    pub portfolio: Option<&'a str>,
    /// How the file names an instrument (its ISIN, else its ticker or name), and its symbol. Remembered.
    pub map: &'a [(String, String)],
    /// Which column is which, for a table in an unknown format. Remembered.
    pub columns: Option<&'a str>,
    /// Keep unmatched instruments under their ISIN instead of refusing them.
    pub keep_unresolved: bool,
    /// The currency of rows for which neither they nor market data have one.
    pub currency: Option<QuoteUnit>,
    /// Lines of rows to skip.
    pub skip: &'a [u64],
    /// Skip all rows with errors.
    pub skip_errors: bool,
    /// Opening positions, each with the line of the row that needs it.
    pub openings: &'a [(u64, Opening)],
    /// Add an opening position for all other missing shares.
    pub open_missing: bool,
    /// For days without an exchange rate: what one unit of the first currency is in the second.
    pub rates: &'a [(Currency, Currency, Decimal)],
    /// Only reads, and does not wait for writes.
    pub dry_run: bool,
    /// The upload that the file came from; it then belongs to the import.
    pub upload: Option<Uuid>,
}

/// Plans what the file would do, row by row, and does exactly that, unless there is an error or it is a dry run.
pub fn import<'a>(app: &'a App, request: &'a Request<'_>, progress: Progress<'a>) -> Work<'a, Result<Report, Error>> {
    Box::pin(import_file(app, request, progress))
}

async fn import_file(app: &App, request: &Request<'_>, progress: Progress<'_>) -> Result<Report, Error> {
    progress(Stage::Reading, 0, 0);
    if !request.dry_run {
        disk::check(app, request.bytes.stored_size()).await?;
    }
    let _memory = job_limit::memory_for(app, request.bytes.is_large()).await;
    let mut source = source::read(app, request).await?;
    source.skip(request.skip);
    if request.skip_errors {
        source.skip_errors();
    }
    if source.refused() {
        return Ok(Report::refused(source));
    }
    let answers = ask::providers(app, request, &source.parsed, progress).await?;
    let report = apply::apply(app, request, source, answers, progress).await?;
    if !request.dry_run {
        // Remembered answers also affect other uploads.
        app.plans.forget(request.user_id);
        matching::heal_after(app, Some(request.user_id)).await;
    }
    Ok(report)
}

/// The names of all formats.
pub fn formats() -> impl Iterator<Item = &'static str> {
    importers::FORMATS.iter().map(|format| format.name)
}
