//! Files into the ledger: every row accounted for, all of a file or nothing of it.

mod apply;
mod ask;
mod check;
mod identity;
mod instruments;
mod kept;
mod mapped;
mod places;
mod plan;
mod report;
mod source;
mod undo;

pub use importers::{BYTES_MAX, Problem};
pub use instruments::Question;
pub use kept::file;
pub use mapped::map;
pub use report::{Fate, Report, Row};
pub use undo::{Import, Undone, list, undo};

use crate::{App, Error};

/// How far an import is: what is being done, how many of how many rows; zero of zero where that is not counted.
pub type Progress<'a> = &'a (dyn Fn(&'static str, usize, usize) + Sync);

#[derive(Clone, Copy, Default)]
pub struct Request<'a> {
    pub email: &'a str,
    pub file_name: &'a str,
    pub bytes: &'a [u8],
    /// Detected by content where not given.
    pub format: Option<&'a str>,
    /// For rows that name none; else the default one.
    pub portfolio: Option<&'a str>,
    /// What the file calls an instrument (its ISIN, else its ticker or name), and the symbol it is. Remembered.
    pub map: &'a [(String, String)],
    /// Which column is which, for a table in no broker's format. Remembered.
    pub columns: Option<&'a str>,
    /// Keep instruments that cannot be resolved under their ISIN instead of refusing them.
    pub keep_unresolved: bool,
    pub dry_run: bool,
}

/// Works out what the file would do, row by row, and does exactly that, unless something stands against it or it is a dry run.
pub async fn import(app: &App, request: &Request<'_>, progress: Progress<'_>) -> Result<Report, Error> {
    let user_id = crate::accounts::id_of(app, request.email).await?;
    progress("reading", 0, 0);
    let source = source::read(app, user_id, request).await?;
    if source.refused() {
        return Ok(Report::refused(source));
    }
    let answers = ask::providers(app, user_id, request, &source.parsed, progress).await?;
    apply::apply(app, user_id, request, source, answers, progress).await
}

/// Name and description of every format.
pub fn formats() -> impl Iterator<Item = (&'static str, &'static str)> {
    importers::FORMATS.iter().map(|format| (format.name, format.about))
}
