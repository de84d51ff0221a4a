//! Unfinished imports: uploaded, reviewed with their plan, answered, and imported or discarded.

mod again;
mod answers;
mod expire;
mod incoming;
mod plans;
mod quota;

use std::collections::BTreeSet;
use std::sync::Arc;

use ledger::{Currency, Decimal, QuoteUnit};
use store::{Tx, imports, uploads};
use uuid::Uuid;

pub use again::{LeftOut, left_out, put_again};
pub(super) use answers::written_lines;
pub use answers::{Answers, Fix, OPENINGS_MAX, SKIPPED_MAX};
pub use expire::expire;
pub(crate) use incoming::Receiving;
pub use incoming::{AT_ONCE, Incoming, PER_USER, Spool, Spooled, Vitals, begin, vitals};
pub(crate) use plans::Plans;
pub use quota::KEPT_MIB_MAX;

use super::stored_file::Packed;
use super::{BYTES_MAX, FileBytes, Opening, Report, Request, source, stored_file};
use crate::operations::{disk, job_limit};
use crate::{App, Error, refusal};

const KEPT_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// An unfinished import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Upload {
    pub id: Uuid,
    pub file_name: String,
    /// For rows without a portfolio; by default the user's default portfolio.
    pub portfolio: Option<String>,
    /// Detected by content if not given.
    pub format: Option<String>,
    pub columns: Option<String>,
    /// How the file names an instrument, and its symbol.
    pub map: Vec<(String, String)>,
    pub keep: bool,
    /// The currency of rows without one; `GBp` for pence.
    pub currency: Option<String>,
    /// Lines of the rows that the user skips.
    pub skipped: BTreeSet<u64>,
    /// Whether all rows with errors are skipped.
    pub skip_errors: bool,
    /// Opening positions, each with the line of the row that needs it.
    pub openings: Vec<(u64, Opening)>,
    /// Exchange rates for days without one: what one unit of the first currency is in the second.
    pub rates: Vec<(Currency, Currency, Decimal)>,
    /// Whether opening positions are added for all other missing shares.
    pub open_missing: bool,
    pub created_at: i64,
    /// Set once it was applied.
    pub import_id: Option<Uuid>,
}

pub struct Planned {
    pub upload: Upload,
    /// Empty once the upload was applied.
    pub report: Arc<Report>,
    /// The plan with the recommended answers, if there are open questions that they answer.
    pub recommended: Option<Arc<Report>>,
}

/// The same file with the same key is stored once; another file with that key is refused.
pub async fn put_once(
    app: &App,
    user_id: Uuid,
    key: Uuid,
    file_name: &str,
    file: Spooled,
    portfolio: Option<&str>,
) -> Result<Uuid, Error> {
    job_limit::run(app, user_id, store_once(app, user_id, key, file_name, file, portfolio)).await
}

async fn store_once(
    app: &App,
    user_id: Uuid,
    key: Uuid,
    file_name: &str,
    mut file: Spooled,
    portfolio: Option<&str>,
) -> Result<Uuid, Error> {
    let _memory = job_limit::memory_for(app, file.bytes() > job_limit::LARGE_BYTES).await;
    let pack = move || stored_file::pack(file.reader()?);
    let Packed { bytes: packed, digest } = source::off_the_runtime(pack).await.map_err(incoming::unwritten)?;
    disk::check(app, packed.len() as u64).await?;
    let now = app.clock.now_micros();
    let mut tx = app.store.write_for(user_id).await?;
    uploads::delete_before(&mut tx, user_id, now - KEPT_MICROS).await?;
    if let Some(before) = uploads::file(&mut tx, user_id, key).await? {
        let same = source::off_the_runtime(move || stored_file::digest(&before) == Some(digest)).await;
        return if same { Ok(key) } else { Err(refusal::Import::KeyUsed.into()) };
    }
    quota::make(app, &mut tx, user_id, packed.len() as u64).await?;
    let upload = uploads::Upload {
        id: key,
        file_name: answers::shown_name(file_name),
        created_at: now,
        import_id: None,
        choices: uploads::Choices { portfolio: answers::filled(portfolio), ..uploads::Choices::default() },
    };
    uploads::add(&mut tx, user_id, &upload, &packed).await?;
    tx.commit().await?;
    Ok(key)
}

/// What the file would do, with all answers so far. `None` if the user has no such upload, or no longer. Only reads, and is
/// cached until something changes.
pub async fn plan(app: &Arc<App>, user_id: Uuid, id: Uuid) -> Result<Option<Planned>, Error> {
    let Some(key) = plans::Key::of(app, user_id, id).await? else { return Ok(None) };
    if key.upload.import_id.is_some() {
        return Ok(Some(Planned { upload: key.upload, report: Arc::default(), recommended: None }));
    }
    let known = || app.plans.get(&key, app.clock.now_micros());
    if let Some((report, recommended)) = known() {
        return Ok(Some(Planned { upload: key.upload, report, recommended }));
    }
    let work = async {
        // The same file may have been planned while this request waited.
        if let Some((report, recommended)) = known() {
            return Ok(Some(Planned { upload: key.upload.clone(), report, recommended }));
        }
        let Some((upload, bytes)) = open(app, user_id, id).await? else { return Ok(None) };
        let report = Arc::new(run(app.clone(), user_id, (upload.clone(), bytes.clone()), true).await?);
        let mut recommended = None;
        if !report.errors.is_empty() {
            let answered = Upload { keep: true, skip_errors: true, open_missing: true, ..upload.clone() };
            let tried = run(app.clone(), user_id, (answered, bytes), true).await?;
            recommended = (tried.errors.is_empty() && tried.refusal.is_none()).then(|| Arc::new(tried));
        }
        if upload == key.upload {
            app.plans.put(key.clone(), (report.clone(), recommended.clone()), app.clock.now_micros());
        }
        Ok(Some(Planned { upload, report, recommended }))
    };
    job_limit::run(app, user_id, work).await
}

/// False if the user has no such upload, or no longer.
pub async fn answer(app: &Arc<App>, user_id: Uuid, id: Uuid, answers: Answers) -> Result<bool, Error> {
    let report = match &answers.fix {
        // Boxed, because its future is large.
        Some(_) => match Box::pin(plan(app, user_id, id)).await? {
            Some(planned) => planned.report,
            None => return Ok(false),
        },
        None => Arc::default(),
    };
    let mut tx = app.store.write_for(user_id).await?;
    let Some(upload) = find(app, &mut tx, user_id, id).await? else { return Ok(false) };
    let choices = answers.over(upload, &report, app.clock.today())?;
    uploads::set_choices(&mut tx, user_id, id, &choices).await?;
    tx.commit().await?;
    Ok(true)
}

/// Imports the file. If called again, it returns the same import and adds nothing.
pub async fn apply(app: &Arc<App>, user_id: Uuid, id: Uuid) -> Result<Option<Report>, Error> {
    let work = async {
        let Some((upload, bytes)) = open(app, user_id, id).await? else { return Ok(None) };
        run(app.clone(), user_id, (upload, bytes), false).await.map(Some)
    };
    job_limit::run(app, user_id, work).await
}

/// False if the user has no such upload.
pub async fn discard(app: &App, user_id: Uuid, id: Uuid) -> Result<bool, Error> {
    let mut tx = app.store.write_for(user_id).await?;
    let there = uploads::delete(&mut tx, user_id, id).await?;
    tx.commit().await?;
    Ok(there)
}

/// The size of all users' uploads.
pub async fn total(app: &App) -> Result<uploads::Total, Error> {
    Ok(uploads::total(&mut app.store.read().await?).await?)
}

/// Unfinished imports, oldest first.
pub async fn pending(app: &App, user_id: Uuid) -> Result<Vec<Upload>, Error> {
    let oldest = app.clock.now_micros() - KEPT_MICROS;
    let all = uploads::list(&mut app.store.read().await?, user_id).await?;
    let waits = |upload: &uploads::Upload| upload.import_id.is_none() && upload.created_at >= oldest;
    Ok(all.into_iter().filter(waits).map(Upload::from).collect())
}

async fn find(app: &App, tx: &mut Tx, user_id: Uuid, id: Uuid) -> Result<Option<Upload>, Error> {
    let oldest = app.clock.now_micros() - KEPT_MICROS;
    let found = uploads::one(tx, user_id, id).await?;
    Ok(found.filter(|upload| upload.created_at >= oldest).map(Upload::from))
}

/// The upload and its compressed file.
async fn open(app: &App, user_id: Uuid, id: Uuid) -> Result<Option<(Upload, Vec<u8>)>, Error> {
    let mut tx = app.store.read().await?;
    let Some(upload) = find(app, &mut tx, user_id, id).await? else { return Ok(None) };
    let packed = uploads::file(&mut tx, user_id, id).await?.unwrap_or_default();
    Ok(Some((upload, packed)))
}

fn too_large() -> Error {
    refusal::Import::TooLarge { max_mib: BYTES_MAX / 1024 / 1024 }.into()
}

/// On a separate thread, limited by the number of turns, because the file decides how long it takes.
async fn run(app: Arc<App>, user_id: Uuid, (upload, packed): (Upload, Vec<u8>), dry_run: bool) -> Result<Report, Error> {
    let turn = job_limit::current_turn();
    let work = async move { job_limit::within(turn, run_here(&app, user_id, &upload, &Arc::new(packed), dry_run)).await };
    source::on_a_thread_of_its_own(work).await
}

/// Requests that cannot even be tried are reported like an error of the file.
async fn run_here(app: &App, user_id: Uuid, upload: &Upload, packed: &Arc<Vec<u8>>, dry_run: bool) -> Result<Report, Error> {
    let skip = Vec::from_iter(upload.skipped.iter().copied());
    let request = Request {
        user_id,
        file_name: &upload.file_name,
        bytes: FileBytes::Packed(packed),
        format: upload.format.as_deref(),
        portfolio: upload.portfolio.as_deref(),
        map: &upload.map,
        columns: upload.columns.as_deref(),
        keep_unresolved: upload.keep,
        currency: upload.currency.as_deref().and_then(|unit| QuoteUnit::parse(unit).ok()),
        skip: &skip,
        skip_errors: upload.skip_errors,
        openings: &upload.openings,
        open_missing: upload.open_missing,
        rates: &upload.rates,
        dry_run,
        upload: Some(upload.id),
    };
    match super::import(app, &request, &|_, _, _| {}).await {
        Err(Error::Refused(refusal)) => Ok(Report { refusal: Some(refusal), ..Report::default() }),
        other => other,
    }
}

/// The result of the upload, if it was already imported.
pub(super) async fn applied(tx: &mut Tx, request: &Request<'_>) -> Result<Option<Report>, Error> {
    let Some(id) = request.upload.filter(|_| !request.dry_run) else { return Ok(None) };
    let before = uploads::one(tx, request.user_id, id).await?.and_then(|upload| upload.import_id);
    let Some(import_id) = before else { return Ok(None) };
    let Some(import) = imports::one(tx, request.user_id, import_id).await? else { return Ok(None) };
    let count = |number: i64| u64::try_from(number).unwrap_or_default();
    Ok(Some(Report {
        format: importers::by_name(&import.format).map_or("unknown", |format| format.name),
        id: Some(import_id),
        rows: count(import.rows),
        existing: count(import.existing),
        entries: count(import.added),
        ..Report::default()
    }))
}
