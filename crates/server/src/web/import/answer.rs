//! What a person does with a plan: answer its questions, import it, throw it away.

use app::import::Report;
use app::import::staged::{self, Answers};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use uuid::Uuid;

use super::{columns, plan};
use crate::web::error_page::PageError;
use crate::web::forms::Form;
use crate::web::notice::Notice;
use crate::web::visitor::SignedIn;
use crate::web::{Reply, Web, links};

/// `/import/{id}/answer`
pub async fn post(State(web): State<Web>, who: SignedIn, Path(id): Path<String>, parts: Parts, form: Form) -> Reply {
    let id = Uuid::try_parse(&id).map_err(|_| PageError::not_found())?;
    let answered = match answers(&web, &who, id, &form).await {
        Ok(answers) => staged::answer(&web.app, who.user_id(), id, answers).await,
        Err(error) => Err(error),
    };
    match answered {
        Ok(true) => Ok(links::to(&format!("/import/{id}"))),
        Ok(false) => Err(PageError::not_found()),
        Err(app::Error::Refused(refusal)) => {
            let reason = who.visitor.refusal(&refusal);
            plan::show(&web, &who, id, &parts, StatusCode::UNPROCESSABLE_ENTITY, Some(reason)).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Each form of the page says its own part; what it does not mention stays as it was.
async fn answers(web: &Web, who: &SignedIn, id: Uuid, form: &Form) -> Result<Answers, app::Error> {
    Ok(match form.text("part") {
        "instruments" => Answers { map: instruments(form), ..Answers::default() },
        "keep" => Answers { keep: Some(form.ticked("keep")), ..Answers::default() },
        "currency" => Answers { currency: Some(form.given("currency").map(str::to_owned)), ..Answers::default() },
        "portfolio" => Answers { portfolio: Some(form.given("portfolio").map(str::to_owned)), ..Answers::default() },
        "columns" if form.ticked("forget") => Answers { columns: Some(String::new()), ..Answers::default() },
        "columns" => {
            let planned = staged::plan(&web.app, who.user_id(), id).await?;
            let table = planned.as_ref().and_then(|planned| planned.report.columns_found.as_ref());
            Answers { columns: table.map(|table| columns::mapping(table, form)).transpose()?, ..Answers::default() }
        }
        _ => Answers::default(),
    })
}

/// What the file calls an instrument, with what was typed for it, else chosen.
fn instruments(form: &Form) -> Vec<(String, String)> {
    let answer = |(at, key): (&str, &str)| {
        let typed = form.given(&format!("other.{at}"));
        let chosen = form.given(&format!("symbol.{at}"));
        // One that was answered before is taken back by emptying its field.
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
    let page = report.id.map_or("/import".to_owned(), |import| format!("/import?done={import}"));
    Ok(links::to_with(&page, &Notice::ok(summary(&who, &report))))
}

fn summary(who: &SignedIn, report: &Report) -> String {
    let t = &who.visitor.texts.import;
    let existing = report.existing.saturating_sub(report.repeated);
    let existing = (existing > 0).then(|| t.imported_existing(existing));
    let repeated = (report.repeated > 0).then(|| t.imported_repeated(report.repeated));
    [Some(t.imported(report.entries)), existing, repeated].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// `/import/{id}/discard`
pub async fn discard(State(web): State<Web>, who: SignedIn, Path(id): Path<String>, _form: Form) -> Reply {
    let id = Uuid::try_parse(&id).map_err(|_| PageError::not_found())?;
    match staged::discard(&web.app, who.user_id(), id).await? {
        true => Ok(links::to_with("/import", &Notice::ok(who.visitor.texts.import.discarded))),
        false => Err(PageError::not_found()),
    }
}
