//! `/import`: upload a file, continue with an unfinished import, or undo one.

pub mod answer;
mod columns;
pub mod done;
pub mod plan;
pub mod positions;
mod questions;
mod rows;
pub mod upload;

use app::import::staged::{self, Upload};
use app::import::{self, Import};
use app::portfolios;
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use uuid::Uuid;

use crate::format::choices::CURRENCIES;
use crate::ledger::words;
use crate::page::{Section, Shell, download};
use crate::visit::{Form, Notice, PageError, SignedIn, links};
use crate::{Reply, Web};
use positions::Typed;

#[derive(Template)]
#[template(path = "import.html")]
struct Page {
    shell: Shell,
    problem: Option<String>,
    /// Makes sure that a form sent twice has effect only once.
    key: Uuid,
    portfolios: Vec<(String, bool)>,
    waiting: Vec<Upload>,
    positions: Typed,
    currencies: &'static [&'static str],
    past: Vec<Import>,
    formats: Vec<&'static str>,
}

pub async fn get(State(web): State<Web>, who: SignedIn) -> Reply {
    render(&web, &who, StatusCode::OK, None, Typed::default()).await
}

async fn show(web: &Web, who: &SignedIn, status: StatusCode, problem: Option<String>) -> Reply {
    render(web, who, status, problem, Typed::default()).await
}

async fn render(web: &Web, who: &SignedIn, status: StatusCode, problem: Option<String>, positions: Typed) -> Reply {
    let visitor = &who.visitor;
    let waiting = staged::pending(&web.app, who.user_id()).await?.into_iter().rev().collect();
    let past: Vec<Import> = import::list(&web.app, who.user_id()).await?.into_iter().rev().collect();
    let page = Page {
        shell: visitor.shell(visitor.texts.import.title, Section::Import),
        problem,
        key: Uuid::now_v7(),
        portfolios: portfolios::list(&web.app, who.user_id()).await?.into_iter().map(|one| (one.name, one.default)).collect(),
        waiting,
        positions,
        currencies: &CURRENCIES,
        past,
        formats: import::formats().map(|name| messages::import::format(visitor.language(), name)).collect(),
    };
    visitor.page_with(status, &page)
}

/// `/import/files/{id}`: the original file.
pub async fn file(State(web): State<Web>, who: SignedIn, Path(id): Path<String>) -> Reply {
    let id = find_import(&web, &who, &id).await?.id;
    let original = import::download(&web.app, who.user_id(), id).await?;
    let name = format!("filename*=UTF-8''{}", links::escaped(&original.file_name));
    Ok(download(original.file, original.bytes, "application/octet-stream", &name))
}

/// `/import/discard-all`: discards all unfinished imports.
pub async fn discard_all(State(web): State<Web>, who: SignedIn, _form: Form) -> Reply {
    let mut discarded = 0_u64;
    for upload in staged::pending(&web.app, who.user_id()).await? {
        discarded += u64::from(staged::discard(&web.app, who.user_id(), upload.id).await?);
    }
    Ok(links::to_with("/import", &Notice::ok(who.visitor.texts.import.discarded_all(discarded))))
}

/// `/import/undo/{id}`
pub async fn undo(State(web): State<Web>, who: SignedIn, Path(id): Path<String>, _form: Form) -> Reply {
    let id = find_import(&web, &who, &id).await?.id;
    let t = who.visitor.texts;
    match app::Error::or_refusal(import::undo_in_turn(&web.app, who.user_id(), id).await)? {
        Ok(undone) => {
            let back = (undone.reopened > 0).then(|| t.import.openings_back(undone.reopened));
            let said = [Some(t.import.undone(undone.entries)), back].into_iter().flatten().collect::<Vec<_>>().join(" ");
            Ok(links::to_with("/import", &Notice::ok(said)))
        }
        Err(refusal) => show(&web, &who, StatusCode::UNPROCESSABLE_ENTITY, Some(who.visitor.refusal(&refusal))).await,
    }
}

/// Another user's import is not found.
async fn find_import(web: &Web, who: &SignedIn, id: &str) -> Result<Import, PageError> {
    let id = Uuid::try_parse(id).map_err(|_| PageError::not_found())?;
    import::import_of(&web.app, who.user_id(), id).await?.ok_or_else(PageError::not_found)
}
