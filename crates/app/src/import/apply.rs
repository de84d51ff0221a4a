//! Plans and executes an import in one transaction.

use std::collections::BTreeMap;

use ledger::Currency;
use store::accruals::{self, Accrual, Statement};
use store::entries::Entry;
use store::instruments::{self, Match, Origin};
use store::{Tx, column_maps, entries, imports, uploads, users};
use uuid::Uuid;

use super::Request;
use super::instruments::{Answers, Instruments};
use super::named::Named;
use super::opening::reopen::{self, OpeningChange, Reopened};
use super::plan::{Import, Planner};
use super::report::{self, Fate, Report, Row};
use super::source::Source;
use super::staged;
use super::stored_file::Packed;
use super::symbol_remap::{self, SymbolRemap};
use crate::book::refresh::{self, LoadedEntries};
use crate::operations::progress::{Progress, Stage};
use crate::stocks::listed;
use crate::{App, Error};

/// What is stored besides the entries: a broker's statement of announced payments.
struct Payments {
    statement: Statement,
    accruals: Vec<Accrual>,
}

pub(super) async fn apply(
    app: &App,
    request: &Request<'_>,
    mut source: Source,
    answers: Answers,
    progress: Progress<'_>,
) -> Result<Report, Error> {
    let user_id = request.user_id;
    // Meanwhile the plan is made.
    let packing = (!request.dry_run).then(|| request.bytes.pack());
    // The plan itself only reads, so a dry run blocks no writes.
    let mut tx = if request.dry_run { app.store.read().await? } else { app.store.write_for(request.user_id).await? };
    if let Some(before) = staged::applied(&mut tx, request).await? {
        return Ok(before);
    }
    let renamed = SymbolRemap::work_out(&mut tx, user_id, request.map).await?;
    let records = std::mem::take(&mut source.parsed.records);
    let accruals = source.parsed.accruals.as_deref().unwrap_or_default();
    let known = Instruments::open(app, &mut tx, request, (&records, accruals), &renamed, answers).await?;
    let import = Import {
        app,
        id: Uuid::now_v7(),
        user_id,
        request,
        source: format!("import:{}", source.format),
        family: format!("import:{}", source.family),
        renamed,
    };
    let mut planner = Planner::new(&import, known, records.len());
    let plan = planner.plan(&mut tx, records, progress).await?;
    let mut rows = report::skipped(&source);
    let payments = payments(app, &mut tx, &mut planner, &source, &mut rows).await?;
    let found = std::mem::take(&mut planner.instruments.found);

    rows.extend(plan.rows);
    let columns = source
        .columns
        .as_ref()
        .filter(|columns| columns.chosen_now)
        .map(|columns| (columns.header.clone(), columns.text.clone()));
    let mut report = Report::of(source, rows);
    report.questions = planner.questions();
    report.missing = plan.missing;
    report.openings = plan.openings;
    report.reopened = plan.reopened.iter().map(OpeningChange::from).collect();
    report.no_currency = std::mem::take(&mut planner.no_currency).into_iter().collect();
    if !report.errors.is_empty() {
        return Ok(report);
    }
    report.entries = plan.entries.len() as u64;
    let Some(packing) = packing else { return Ok(report) };
    progress(Stage::Storing, 0, 0);
    let file = packing.await?;
    import.renamed.store(app, &mut tx, user_id, &symbol_remap::chosen(request.map)).await?;
    let learned: Vec<Match> = found.iter().map(|(key, symbol)| Match::new(key, symbol, Origin::Automatic)).collect();
    instruments::put(&mut tx, user_id, &learned).await?;
    if let Some((header, columns)) = &columns {
        column_maps::put(&mut tx, user_id, header, columns).await?;
    }
    let portfolios = &planner.portfolios;
    if !plan.entries.is_empty() || portfolios.makes_any() || payments.is_some() {
        report.id = Some(import.id);
        portfolios.store(&mut tx, import.id, app.clock.now_micros()).await?;
        let new = (&*plan.entries, &plan.unseen, &*plan.reopened);
        store_import(app, &mut tx, &import, &report, new, payments, &file).await?;
        reopen::store(&mut tx, user_id, &plan.reopened).await?;
    } else if !import.renamed.any() {
        // Only remembered matches changed, or nothing at all, so no answer changes.
        tx.commit().await?;
        return Ok(report);
    }
    refresh::written(app, &mut tx, user_id, LoadedEntries::default()).await?;
    users::bump_version(&mut tx, user_id).await?;
    tx.commit().await?;
    Ok(report)
}

async fn store_import(
    app: &App,
    tx: &mut Tx,
    import: &Import<'_>,
    report: &Report,
    (new, unseen, reopened): (&[Entry], &BTreeMap<String, Currency>, &[Reopened]),
    payments: Option<Payments>,
    file: &Packed,
) -> Result<(), Error> {
    listed::add(app, tx, unseen).await?;
    let row = imports::Import {
        id: import.id,
        format: report.format.to_owned(),
        file_name: import.request.file_name.to_owned(),
        file_hash: file.digest,
        rows: report.rows as i64,
        added: report.entries as i64,
        existing: report.existing as i64,
        skipped: report.skips.len() as i64,
        created_at: app.clock.now_micros(),
        openings_before: reopen::written(reopened),
        left_out: staged::written_lines(&report.skips.iter().map(|skip| skip.line).collect()),
    };
    imports::add(tx, import.user_id, &row, &file.bytes).await?;
    entries::add(tx, import.user_id, new).await?;
    if let Some(Payments { statement, accruals }) = payments {
        accruals::add(tx, import.user_id, &statement, &accruals).await?;
    }
    if let Some(upload) = import.request.upload {
        uploads::set_import(tx, import.user_id, upload, import.id).await?;
    }
    Ok(())
}

/// The file's statement of announced payments, unless it is already stored. A row with an unknown instrument is an error; the
/// others are among the rows without an entry.
async fn payments(
    app: &App,
    tx: &mut Tx,
    planner: &mut Planner<'_>,
    source: &Source,
    rows: &mut [Row],
) -> Result<Option<Payments>, Error> {
    let Some(stated) = &source.parsed.accruals else { return Ok(None) };
    let import = planner.import;
    let portfolio_id = planner.portfolios.portfolio(tx, import.request.portfolio).await?.id;
    let as_of = source.parsed.as_of.unwrap_or_else(|| app.clock.today());
    let mut accruals = Vec::new();
    for one in stated {
        let symbol = match planner.symbol(tx, Named::by_accrual(one), one.line).await? {
            Ok(symbol) => symbol,
            Err(reason) => {
                if let Some(row) = rows.iter_mut().find(|row| row.line == one.line && matches!(row.fate, Fate::Skipped(_))) {
                    row.fate = match import.request.skip_errors {
                        true => Fate::Skipped(reason.skipped()),
                        false => Fate::Error(reason),
                    };
                }
                continue;
            }
        };
        accruals.push(Accrual {
            symbol,
            name: one.name.clone(),
            currency: one.currency,
            ex_date: one.ex_date,
            pay_date: one.pay_date,
            shares: one.shares,
            per_share: one.per_share,
            gross: one.gross,
            tax: one.tax,
            net: one.net,
        });
    }
    for before in accruals::statements(tx, import.user_id).await? {
        let same_day = before.portfolio_id == portfolio_id && before.as_of == as_of;
        if same_day && import.renamed.accruals(tx, import.user_id, before.import_id).await? == accruals {
            return Ok(None);
        }
    }
    Ok(Some(Payments { statement: Statement { import_id: import.id, portfolio_id, as_of }, accruals }))
}
