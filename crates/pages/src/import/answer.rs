//! What a user does with a plan: answer its questions, fix its rows, import it, or discard it.

use app::import::Report;
use app::import::staged::{self, Answers, Fix};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use ledger::{Currency, Decimal};
use uuid::Uuid;

use super::{columns, plan};
use crate::format::figures;
use crate::visit::{Form, Notice, PageError, SignedIn, Visitor, links};
use crate::{Reply, Web};

/// `/import/{id}/answer`
pub async fn post(State(web): State<Web>, who: SignedIn, Path(id): Path<String>, parts: Parts, form: Form) -> Reply {
    let id = Uuid::try_parse(&id).map_err(|_| PageError::not_found())?;
    let answered = match answers(&web, &who, id, &form).await {
        Ok(answers) => staged::answer(&web.app, who.user_id(), id, answers).await.map_err(Unusable::from),
        Err(error) => Err(error),
    };
    let reason = match answered {
        Ok(true) if form.text("part") == "rows" => return Ok(links::to(&plan::rows_address(id, &parts))),
        Ok(true) => return Ok(links::to(&format!("/import/{id}"))),
        Ok(false) => return Err(PageError::not_found()),
        Err(Unusable::Field(reason)) => reason,
        Err(Unusable::App(app::Error::Refused(refusal))) => who.visitor.refusal(&refusal),
        Err(Unusable::App(app::Error::Entry(problems))) => {
            problems.iter().map(|problem| who.visitor.problem(problem)).collect::<Vec<_>>().join(" ")
        }
        Err(Unusable::App(error)) => return Err(error.into()),
    };
    plan::show(&web, &who, id, &parts, StatusCode::UNPROCESSABLE_ENTITY, Some(reason)).await
}

/// Why an answer is not accepted.
enum Unusable {
    /// What is wrong with a field of the form.
    Field(String),
    App(app::Error),
}

impl From<app::Error> for Unusable {
    fn from(error: app::Error) -> Unusable {
        Unusable::App(error)
    }
}

/// Each form submits its own part; other answers stay unchanged.
async fn answers(web: &Web, who: &SignedIn, id: Uuid, form: &Form) -> Result<Answers, Unusable> {
    Ok(match form.text("part") {
        "instruments" => Answers { map: instruments(form), ..Answers::default() },
        "keep" => Answers { keep: Some(form.ticked("keep")), ..Answers::default() },
        "recommended" => Answers::recommended(),
        "openings" => Answers { open_missing: Some(form.ticked("add")), ..Answers::default() },
        "errors" => match form.non_empty("code") {
            Some(code) => Answers { fix: Some(Fix::SkipAll(code.to_owned())), ..Answers::default() },
            None => Answers { skip_errors: Some(true), ..Answers::default() },
        },
        "currency" => Answers { currency: Some(form.non_empty("currency").map(str::to_owned)), ..Answers::default() },
        "rate" => Answers { rate: Some(rate(&who.visitor, form)?), ..Answers::default() },
        "portfolio" => Answers { portfolio: Some(form.non_empty("portfolio").map(str::to_owned)), ..Answers::default() },
        "columns" if form.ticked("forget") => Answers { columns: Some(String::new()), ..Answers::default() },
        "columns" => {
            let planned = staged::plan(&web.app, who.user_id(), id).await?;
            let table = planned.as_ref().and_then(|planned| planned.report.columns_found.as_ref());
            Answers { columns: table.map(|table| columns::mapping(table, form)).transpose()?, ..Answers::default() }
        }
        "rows" => Answers { fix: fix(&who.visitor, form)?, ..Answers::default() },
        _ => Answers::default(),
    })
}

/// By the button that was pressed; `None` for a form that none of our pages sends.
fn fix(visitor: &Visitor, form: &Form) -> Result<Option<Fix>, Unusable> {
    let line = |name: &str| form.non_empty(name).and_then(|line| line.parse().ok());
    let of_row = line("skip").map(Fix::Skip).or(line("include").map(Fix::Include)).or(line("close").map(Fix::Close));
    let of_all = form.non_empty("skip_all").map(|code| Fix::SkipAll(code.to_owned()));
    let of_all = of_all.or(form.ticked("include_all").then_some(Fix::IncludeAll));
    match line("open") {
        Some(line) => opening(visitor, form, line).map(Some),
        None => Ok(of_row.or(of_all)),
    }
}

/// A blank rate takes back an earlier one.
fn rate(visitor: &Visitor, form: &Form) -> Result<(Currency, Currency, Option<Decimal>), Unusable> {
    let currency = |name: &str| {
        let unknown = |_| app::Error::from(app::refusal::Import::UnknownUnit { unit: form.text(name).to_owned() });
        Currency::parse(form.text(name)).map_err(unknown)
    };
    Ok((currency("from")?, currency("to")?, figure(visitor, form, "rate")?))
}

fn figure(visitor: &Visitor, form: &Form, name: &str) -> Result<Option<Decimal>, Unusable> {
    let read = form.non_empty(name).map(|text| figures::parse(text, &visitor.format)).transpose();
    read.map_err(|error| Unusable::Field(error.text(visitor.texts)))
}

fn opening(visitor: &Visitor, form: &Form, line: u64) -> Result<Fix, Unusable> {
    let t = visitor.texts;
    let date = form.text("date").parse().map_err(|_| Unusable::Field(t.ledger.odd_date.to_owned()))?;
    let shares = figure(visitor, form, "shares")?.ok_or_else(|| Unusable::Field(t.import.opening_shares_missing.to_owned()))?;
    Ok(Fix::Open { line, date, shares, cost: figure(visitor, form, "cost")? })
}

/// The securities of the file, with the typed symbol or else the selected one.
fn instruments(form: &Form) -> Vec<(String, String)> {
    let answer = |(at, key): (&str, &str)| {
        let typed = form.non_empty(&format!("other.{at}"));
        let chosen = form.non_empty(&format!("symbol.{at}"));
        // Clearing the field takes back an earlier answer.
        let answer = typed.or(chosen).or_else(|| form.ticked(&format!("answered.{at}")).then_some(""));
        Some((key.to_owned(), answer?.to_owned()))
    };
    form.starting("key.").filter_map(answer).collect()
}

/// `/import/{id}/apply`
pub async fn apply(State(web): State<Web>, who: SignedIn, Path(id): Path<String>, parts: Parts, _form: Form) -> Reply {
    let id = Uuid::try_parse(&id).map_err(|_| PageError::not_found())?;
    let report = staged::apply(&web.app, who.user_id(), id).await?.ok_or_else(PageError::not_found)?;
    if report.refusal.is_some() || !report.errors.is_empty() {
        let sentence = who.visitor.texts.import.not_imported.to_owned();
        return plan::show(&web, &who, id, &parts, StatusCode::UNPROCESSABLE_ENTITY, Some(sentence)).await;
    }
    let page = report.id.map_or("/import".to_owned(), super::done::address);
    Ok(links::to_with(&page, &Notice::ok(summary(&who, &report))))
}

fn summary(who: &SignedIn, report: &Report) -> String {
    let t = &who.visitor.texts.import;
    let existing = report.existing.saturating_sub(report.repeated);
    let existing = (existing > 0).then(|| t.imported_existing(existing));
    let repeated = (report.repeated > 0).then(|| t.imported_repeated(report.repeated));
    let skipped = report.skipped_by_user();
    let skipped = (skipped > 0).then(|| t.imported_skipped(skipped));
    let reopened = report.reopened.iter().map(|one| who.visitor.opening_change(one));
    let counts = [Some(t.imported(report.entries)), existing, repeated, skipped].into_iter().flatten();
    counts.chain(reopened).collect::<Vec<_>>().join(" ")
}

/// `/import/{id}/discard`
pub async fn discard(State(web): State<Web>, who: SignedIn, Path(id): Path<String>, _form: Form) -> Reply {
    let id = Uuid::try_parse(&id).map_err(|_| PageError::not_found())?;
    match staged::discard(&web.app, who.user_id(), id).await? {
        true => Ok(links::to_with("/import", &Notice::ok(who.visitor.texts.import.discarded))),
        false => Err(PageError::not_found()),
    }
}
