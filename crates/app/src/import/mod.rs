//! Files into the ledger: every row accounted for, all of a file or nothing of it.

mod check;
mod identity;
mod instruments;
mod places;
mod plan;

use std::collections::{HashMap, HashSet};

pub use importers::Problem;
use sha2::{Digest, Sha256};
use store::{Tx, entries, imports, stocks, users};
use uuid::Uuid;

use crate::accounts::by_email;
use crate::{App, Error, tracking};
use plan::{Import, Plan};

pub struct Request<'a> {
    pub email: &'a str,
    pub file_name: &'a str,
    pub bytes: &'a [u8],
    /// Detected by content where not given.
    pub format: Option<&'a str>,
    /// For rows that name none; else the default one.
    pub portfolio: Option<&'a str>,
    /// ISIN → symbol.
    pub map: &'a HashMap<String, String>,
    /// Keep instruments that cannot be resolved under their ISIN instead of refusing them.
    pub keep_unresolved: bool,
    pub dry_run: bool,
}

/// What became of the file's rows: rows = new + existing + skipped + errors.
#[derive(Debug)]
pub struct Report {
    pub format: &'static str,
    /// The import's id, when it stored anything.
    pub id: Option<Uuid>,
    pub rows: u64,
    pub new: u64,
    pub existing: u64,
    pub skips: Vec<Problem>,
    /// When there are any, nothing was stored.
    pub errors: Vec<Problem>,
}

/// `stage` is told what is being done, for a person who waits.
pub async fn import(app: &App, request: &Request<'_>, stage: &dyn Fn(&'static str)) -> Result<Report, Error> {
    let format = match request.format {
        Some(name) => importers::by_name(name).ok_or_else(|| {
            Error::refused(format!("there is no format \"{name}\"; `dripline import --list-formats` shows them"))
        })?,
        None => importers::detect(request.bytes).ok_or_else(|| {
            Error::refused(format!(
                "{} is in no format known here; `dripline import --list-formats` shows them",
                request.file_name
            ))
        })?,
    };
    stage("reading");
    let parsed = (format.parse)(request.bytes);
    let mut report = Report {
        format: format.name,
        id: None,
        rows: parsed.rows,
        new: 0,
        existing: 0,
        skips: parsed.skips,
        errors: parsed.errors,
    };
    if !report.errors.is_empty() {
        report.skips.extend(parsed.records.iter().map(|record| left_out(record.line)));
        return Ok(report);
    }
    stage("checking");
    let mut tx = app.store.write().await?;
    let user = by_email(&mut tx, request.email).await?;
    let import_id = Uuid::now_v7();
    let import = Import { id: import_id, user_id: user.id, request, source: format!("import:{}", format.name) };
    let plan = Plan::make(app, &mut tx, &import, parsed.records).await?;
    report.existing = plan.existing;
    report.errors = plan.errors;
    if !report.errors.is_empty() {
        let faulty: HashSet<u64> = report.errors.iter().map(|problem| problem.line).collect();
        report.skips.extend(plan.lines.into_iter().filter(|line| !faulty.contains(line)).map(left_out));
        return Ok(report);
    }
    report.new = plan.entries.len() as u64;
    if request.dry_run || (plan.entries.is_empty() && !plan.made_portfolio) {
        return Ok(report);
    }
    stage("storing");
    for (symbol, currency) in &plan.unseen {
        stocks::add_placeholder(&mut tx, symbol, None, None, *currency).await?;
    }
    let row = imports::Import {
        id: import_id,
        format: format.name.to_owned(),
        file_name: request.file_name.to_owned(),
        file_hash: Sha256::digest(request.bytes).into(),
        rows: report.rows as i64,
        added: report.new as i64,
        existing: report.existing as i64,
        skipped: report.skips.len() as i64,
        created_at: app.clock.now_micros(),
    };
    imports::add(&mut tx, user.id, &row).await?;
    entries::add(&mut tx, user.id, &plan.entries).await?;
    finish(app, tx, user.id).await?;
    report.id = Some(import_id);
    Ok(report)
}

/// The fate of a sound line of a file that is refused.
fn left_out(line: u64) -> Problem {
    Problem::new(line, "left out with the rest of the file, because other lines have errors")
}

async fn finish(app: &App, mut tx: Tx, user_id: Uuid) -> Result<(), Error> {
    tracking::refresh(&mut tx, user_id, app.clock.today()).await?;
    users::bump_version(&mut tx, user_id).await?;
    Ok(tx.commit().await?)
}

/// Name and description of every format.
pub fn formats() -> impl Iterator<Item = (&'static str, &'static str)> {
    importers::FORMATS.iter().map(|format| (format.name, format.about))
}
