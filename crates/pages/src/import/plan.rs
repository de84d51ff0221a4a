//! `/import/{id}`: what a file would do, row by row, and what still needs an answer.

use std::collections::HashSet;

use app::import::staged::{self, Planned, Upload};
use app::import::{Describe, Reason, Report};
use app::portfolios;
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serving::Query;
use uuid::Uuid;

use super::columns::{self, Columns};
use super::questions::{self, Currencies, Instruments, Rate};
use super::rows::{self, FATES, Fixes, PER_PAGE, Shown};
use crate::format::Html;
use crate::ledger::{Paging, paging, words};
use crate::page::{Section, Shell};
use crate::visit::{Notice, PageError, SignedIn, Visitor, links};
use crate::{Reply, Web};

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
    rates: Vec<Rate>,
    columns: Option<Columns>,
    portfolios: Vec<String>,
    portfolio: String,
    rows: Vec<Shown>,
    /// Where a form about a row is sent.
    rows_form: String,
    filtered: bool,
    paging: Option<Paging>,
    status: Status,
    /// What will happen, or why it is blocked, or why there is nothing to add.
    summary: String,
    /// What the recommended answers would do.
    recommended: Option<String>,
    /// Questions with their number of cases; fewest first.
    questions: Vec<Question>,
    missing: Missing,
    errors: Errors,
}

#[derive(Clone, Copy, PartialEq)]
enum Question {
    Openings,
    Errors,
    Instruments,
    Currency,
    Rates,
}

#[derive(Default)]
struct Missing {
    /// Symbol, and how many shares are missing when.
    lots: Vec<(String, String)>,
    add_all: String,
    /// Set if all are added.
    added: Option<String>,
}

#[derive(Default)]
struct Errors {
    /// Code, explanation of the first row, and the label of the button.
    kinds: Vec<(&'static str, String, String)>,
    skip_all: Option<String>,
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
    let Planned { upload, report, recommended } =
        staged::plan(&web.app, who.user_id(), id).await?.ok_or_else(PageError::not_found)?;
    if let Some(done) = upload.import_id {
        return Ok(links::to_with(&super::done::address(done), &Notice::ok(t.import.already)));
    }
    let (fate, page) = filter_and_page(parts);
    let chosen: Vec<_> = report.plan.iter().filter(|row| fate.is_none_or(|fate| rows::fate_of(row) == fate)).collect();
    let pages = chosen.len().div_ceil(PER_PAGE).max(1);
    let page = page.clamp(1, pages);
    let here = fate.map_or(format!("/import/{id}"), |fate| format!("/import/{id}?fate={fate}"));
    let mut fixes = Fixes::of(&report, &upload);
    let rows = chosen.iter().skip((page - 1) * PER_PAGE).take(PER_PAGE);
    let rows: Vec<Shown> = rows.map(|row| rows::shown(visitor, &report, row, &mut fixes)).collect();
    let rates = questions::rates(visitor, &report, &upload);
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
        summary: summary(visitor, &report),
        recommended: recommended.and_then(|answered| will_add(visitor, &answered, Some(report.questions.len()))),
        questions: questions(&report, &upload, rates.len()),
        rates,
        missing: missing(visitor, &report, &upload),
        errors: errors(visitor, &report),
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
            rates: Vec::new(),
            columns: None,
            portfolios: Vec::new(),
            portfolio: upload.portfolio.unwrap_or_default(),
            rows: Vec::new(),
            rows_form: String::new(),
            filtered: false,
            paging: None,
            status: Status::Blocked,
            summary: String::new(),
            recommended: None,
            questions: Vec::new(),
            missing: Missing::default(),
            errors: Errors::default(),
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

/// What a plan without errors does; `None` if it adds nothing. With `kept` securities that keep their name.
fn will_add(visitor: &Visitor, report: &Report, kept: Option<usize>) -> Option<String> {
    let i = &visitor.texts.import;
    if status_of(report) != Status::Ready {
        return None;
    }
    let kinds = report.kinds().into_iter().map(|(kind, count)| i.kind_count(kind.word(), count));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let rows = report.new + report.joined;
    let lead = if kept.is_some() { i.would_add(rows, report.rows, kinds) } else { i.will_add(rows, report.rows, kinds) };
    let some = |count: usize| (count > 0).then_some(count);
    let sentences = [
        some(report.entries as usize).map(|_| lead),
        some(report.openings.len()).map(|count| i.opens(count)),
        kept.and_then(some).map(|count| i.keeps(count)),
        some(report.skipped_by_user()).map(|count| i.leaves_out(count)),
        report.payments.map(|payments| i.payments(payments)),
    ];
    let reopened = report.reopened.iter().take(LISTED_MAX).map(|one| visitor.opening_change(one));
    Some(sentences.into_iter().flatten().chain(reopened).collect::<Vec<_>>().join(" "))
}

fn questions(report: &Report, upload: &Upload, rates: usize) -> Vec<Question> {
    let openings = report.missing.len().max(usize::from(upload.open_missing));
    let mut all = vec![
        (openings, Question::Openings),
        (plain_errors(report).count(), Question::Errors),
        (rates, Question::Rates),
        (report.questions.len(), Question::Instruments),
        (report.no_currency.len().max(usize::from(upload.currency.is_some())), Question::Currency),
    ];
    all.retain(|(cases, _)| *cases > 0);
    all.sort_by_key(|(cases, _)| *cases);
    all.into_iter().map(|(_, question)| question).collect()
}

/// How many of a kind are listed.
const LISTED_MAX: usize = 100;

fn missing(visitor: &Visitor, report: &Report, upload: &Upload) -> Missing {
    let t = &visitor.texts.import;
    let lot = |one: &app::import::MissingShares| {
        let shares = rows::share_count(visitor, one.shares);
        (one.symbol.clone(), t.held_on(shares, visitor.format.date_text(one.date)))
    };
    Missing {
        lots: report.missing.values().take(LISTED_MAX).map(lot).collect(),
        add_all: t.openings_all(report.missing.len()),
        added: upload.open_missing.then(|| t.openings_added(report.openings.len())),
    }
}

/// Errors that are no question.
fn plain_errors(report: &Report) -> impl Iterator<Item = &Reason> {
    let asked = |reason: &Reason| report.questions.iter().any(|question| question.reason == *reason);
    let plain = move |line: &u64, reason: &Reason| {
        !report.missing.contains_key(line) && !asked(reason) && questions::missing_rate(reason).is_none()
    };
    report.skippable().filter(move |(line, reason)| plain(line, reason)).map(|(_, reason)| reason)
}

/// Errors that are no question, each kind once.
fn errors(visitor: &Visitor, report: &Report) -> Errors {
    let t = &visitor.texts.import;
    let mut kinds: Vec<(&'static str, String, usize)> = Vec::new();
    for reason in plain_errors(report) {
        match kinds.iter_mut().find(|(code, ..)| *code == reason.code()) {
            Some((_, _, count)) => *count += 1,
            None => kinds.push((reason.code(), visitor.reason(reason), 1)),
        }
    }
    kinds.sort_by_key(|(_, _, count)| *count);
    let all: usize = kinds.iter().map(|(_, _, count)| *count).sum();
    let several = kinds.len() > 1;
    let kinds = kinds.into_iter().map(|(code, text, count)| (code, text, t.skip_errors(count)));
    Errors { kinds: kinds.take(LISTED_MAX).collect(), skip_all: several.then(|| t.skip_errors(all)) }
}

fn summary(visitor: &Visitor, report: &Report) -> String {
    let (t, skipped) = (&visitor.texts.import, report.skips.len());
    match status_of(report) {
        Status::Ready => will_add(visitor, report, None).unwrap_or_default(),
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
