//! `/import/{id}`: what a file would do, row by row, and what still needs an answer.

use std::collections::HashSet;

use app::import::Report;
use app::import::staged::{self, Planned, Upload};
use app::portfolios;
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use messages::web::Texts;
use uuid::Uuid;

use super::columns::{self, Columns};
use super::questions::{Currencies, Instruments};
use super::rows::{self, FATES, Fixes, PER_PAGE, Shown};
use crate::http::Query;
use crate::web::format::Html;
use crate::web::ledger::{Paging, paging, words};
use crate::web::page::{Section, Shell};
use crate::web::visit::{Notice, PageError, SignedIn, Visitor, links};
use crate::web::{Reply, Web};

#[derive(Template)]
#[template(path = "import_plan.html")]
struct Page {
    shell: Shell,
    problem: Option<String>,
    id: Uuid,
    file_name: String,
    format: String,
    counts: Vec<Count>,
    total: Html,
    faults: Vec<(String, Option<String>)>,
    instruments: Instruments,
    currency: Option<Currencies>,
    columns: Option<Columns>,
    portfolios: Vec<String>,
    portfolio: String,
    rows: Vec<Shown>,
    /// Where a form about a row is sent.
    rows_form: String,
    filtered: bool,
    paging: Option<Paging>,
    status: Status,
    /// Why it is blocked, or why there is nothing to add.
    summary: String,
    adds: String,
    /// Rows that the user skips.
    skips: Option<String>,
    payments: Option<String>,
}

struct Count {
    label: &'static str,
    number: Html,
    link: String,
    current: bool,
}

#[derive(PartialEq)]
enum Status {
    /// By errors or open questions.
    Blocked,
    /// There is nothing to add.
    Nothing,
    Ready,
}

pub async fn get(State(web): State<Web>, who: SignedIn, Path(id): Path<String>, parts: Parts) -> Reply {
    let id = Uuid::try_parse(&id).map_err(|_| PageError::not_found())?;
    show(&web, &who, id, &parts, StatusCode::OK, None).await
}

pub async fn show(web: &Web, who: &SignedIn, id: Uuid, parts: &Parts, status: StatusCode, problem: Option<String>) -> Reply {
    let visitor = &who.visitor;
    let t = visitor.texts;
    let Planned { upload, report } = staged::plan(&web.app, who.user_id(), id).await?.ok_or_else(PageError::not_found)?;
    if upload.import_id.is_some() {
        return Ok(links::to_with("/import", &Notice::ok(t.import.already)));
    }
    let (fate, page) = filter_and_page(parts);
    let chosen: Vec<_> = report.plan.iter().filter(|row| fate.is_none_or(|fate| rows::fate_of(row) == fate)).collect();
    let pages = chosen.len().div_ceil(PER_PAGE).max(1);
    let page = page.clamp(1, pages);
    let here = fate.map_or(format!("/import/{id}"), |fate| format!("/import/{id}?fate={fate}"));
    let mut fixes = Fixes::of(&report, &upload);
    let rows = chosen.iter().skip((page - 1) * PER_PAGE).take(PER_PAGE);
    let rows: Vec<Shown> = rows.map(|row| rows::shown(visitor, &report, row, &mut fixes)).collect();
    let skipped = report.skipped_by_user();
    let page = Page {
        shell: visitor.shell(t.import.plan_title, Section::Import),
        problem,
        id,
        format: words::source(t, report.format),
        counts: counts(visitor, id, &report, fate),
        total: visitor.format.number(report.rows),
        faults: faults(visitor, &report),
        instruments: Instruments::of(t, &report, &upload),
        currency: Currencies::of(t, &report, &upload),
        columns: report.columns_found.as_ref().map(|table| columns::build(visitor, table)),
        portfolios: portfolios::list(&web.app, who.user_id()).await?.into_iter().map(|one| one.name).collect(),
        rows,
        rows_form: format!("/import/{id}/answer{}", rows_query(fate, page)),
        filtered: fate.is_some(),
        paging: paging(t, &here, page, PER_PAGE, chosen.len()),
        status: status_of(&report),
        summary: summary(t, &report),
        adds: t.import.adds(report.entries),
        skips: (skipped > 0).then(|| t.import.skips(skipped)),
        payments: report.payments.map(|payments| t.import.payments(payments)),
        ..Page::of(visitor, upload)
    };
    visitor.page_with(status, &page)
}

impl Page {
    /// From the upload alone, without its plan.
    fn of(visitor: &Visitor, upload: Upload) -> Page {
        Page {
            shell: visitor.shell("", Section::Import),
            problem: None,
            id: upload.id,
            file_name: upload.file_name,
            format: String::new(),
            counts: Vec::new(),
            total: visitor.format.number(0),
            faults: Vec::new(),
            instruments: Instruments::default(),
            currency: None,
            columns: None,
            portfolios: Vec::new(),
            portfolio: upload.portfolio.unwrap_or_default(),
            rows: Vec::new(),
            rows_form: String::new(),
            filtered: false,
            paging: None,
            status: Status::Blocked,
            summary: String::new(),
            adds: String::new(),
            skips: None,
            payments: None,
        }
    }
}

fn filter_and_page(parts: &Parts) -> (Option<&'static str>, usize) {
    let Ok(query) = Query::parse(parts.uri.query()) else { return (None, 1) };
    let wanted = query.text("fate").ok().flatten().unwrap_or_default();
    let page = query.integer("page", 1..=1_000_000, 1).unwrap_or(1);
    (FATES.into_iter().find(|fate| *fate == wanted), page as usize)
}

/// The address of the rows currently shown.
pub fn rows_address(id: Uuid, parts: &Parts) -> String {
    let (fate, page) = filter_and_page(parts);
    format!("/import/{id}{}#rows", rows_query(fate, page))
}

fn rows_query(fate: Option<&str>, page: usize) -> String {
    match (fate, page) {
        (None, 1) => String::new(),
        (None, page) => format!("?page={page}"),
        (Some(fate), 1) => format!("?fate={fate}"),
        (Some(fate), page) => format!("?fate={fate}&page={page}"),
    }
}

fn status_of(report: &Report) -> Status {
    let sound = report.errors.is_empty() && report.refusal.is_none();
    match (sound, report.entries > 0 || report.payments.is_some_and(|payments| payments > 0)) {
        (false, _) => Status::Blocked,
        (true, true) => Status::Ready,
        (true, false) => Status::Nothing,
    }
}

fn summary(t: &'static Texts, report: &Report) -> String {
    let (t, skipped) = (&t.import, report.skips.len());
    match status_of(report) {
        Status::Ready => String::new(),
        Status::Blocked if report.questions.is_empty() => t.blocked.to_owned(),
        Status::Blocked => t.unmatched(report.questions.len()),
        Status::Nothing if report.existing > 0 && skipped > 0 => t.partly_new(report.existing, skipped),
        Status::Nothing if report.existing > 0 => t.nothing_new.to_owned(),
        Status::Nothing if skipped > 0 => t.all_skipped(skipped),
        Status::Nothing => t.nothing_found.to_owned(),
    }
}

fn counts(visitor: &Visitor, id: Uuid, report: &Report, fate: Option<&str>) -> Vec<Count> {
    let number = |fate: &str| report.plan.iter().filter(|row| rows::fate_of(row) == fate).count();
    let of = |one: &'static str| Count {
        label: rows::fate_word(visitor, one),
        number: visitor.format.number(number(one)),
        link: format!("/import/{id}?fate={one}"),
        current: fate == Some(one),
    };
    FATES.into_iter().filter(|one| *one != "repeated" || report.repeated > 0).map(of).collect()
}

const FAULTS_MAX: usize = 100;

/// What is wrong with the whole file. Doubts about columns are asked in their own form instead.
fn faults(visitor: &Visitor, report: &Report) -> Vec<(String, Option<String>)> {
    let asked = report.columns_found.as_ref().is_some_and(|table| !table.doubts.is_empty());
    let in_rows: HashSet<u64> = report.plan.iter().filter(|row| rows::fate_of(row) == "error").map(|row| row.line).collect();
    let whole = report.errors.iter().filter(|problem| !asked && !in_rows.contains(&problem.line));
    let whole =
        whole.take(FAULTS_MAX).map(|problem| (visitor.reason(&problem.reason), report.quotes.get(&problem.line).cloned()));
    report.refusal.iter().map(|refusal| (visitor.refusal(refusal), None)).chain(whole).collect()
}
