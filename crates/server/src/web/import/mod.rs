//! `/import`: upload a file, continue with an unfinished import, or undo one.

pub mod answer;
mod columns;
pub mod plan;
mod questions;
mod rows;
pub mod upload;

use app::import::{self, staged};
use app::portfolios;
use askama::Template;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::IntoResponse;
use uuid::Uuid;

use crate::http::{FileBody, Query};
use crate::web::format::Html;
use crate::web::ledger::words;
use crate::web::page::{Section, Shell};
use crate::web::visit::forms::Form;
use crate::web::visit::links::{self, escaped};
use crate::web::visit::notice::Notice;
use crate::web::visit::page_error::PageError;
use crate::web::visit::visitor::{SignedIn, Visitor};
use crate::web::{Reply, Web};

#[derive(Template)]
#[template(path = "import.html")]
struct Page {
    shell: Shell,
    problem: Option<String>,
    /// Makes sure that a form sent twice has effect only once.
    key: Uuid,
    portfolios: Vec<(String, bool)>,
    waiting: Vec<Waiting>,
    /// The import that has just finished.
    done: Option<Uuid>,
    past: Vec<Past>,
    formats: Vec<&'static str>,
}

struct Waiting {
    id: Uuid,
    file_name: String,
    at: Html,
}

struct Past {
    id: Uuid,
    file_name: String,
    format: String,
    at: Html,
    rows: Html,
    added: Html,
    existing: Html,
    skipped: Html,
    undo_lead: String,
}

pub async fn get(State(web): State<Web>, who: SignedIn, parts: Parts) -> Reply {
    let query = Query::parse(parts.uri.query()).ok();
    let done = query.and_then(|query| Uuid::try_parse(query.text("done").ok().flatten()?).ok());
    render(&web, &who, StatusCode::OK, None, done).await
}

async fn show(web: &Web, who: &SignedIn, status: StatusCode, problem: Option<String>) -> Reply {
    render(web, who, status, problem, None).await
}

async fn render(web: &Web, who: &SignedIn, status: StatusCode, problem: Option<String>, done: Option<Uuid>) -> Reply {
    let visitor = &who.visitor;
    let waiting = staged::pending(&web.app, who.user_id()).await?.into_iter().rev().map(|upload| Waiting {
        id: upload.id,
        at: visitor.format.instant(upload.created_at),
        file_name: upload.file_name,
    });
    let waiting: Vec<Waiting> = waiting.collect();
    let past = import::list(&web.app, who.user_id()).await?.into_iter().rev().map(|one| past(visitor, one));
    let past: Vec<Past> = past.collect();
    let page = Page {
        shell: visitor.shell(visitor.texts.import.title, Section::Import),
        problem,
        key: Uuid::now_v7(),
        portfolios: portfolios::list(&web.app, who.user_id()).await?.into_iter().map(|one| (one.name, one.default)).collect(),
        waiting,
        done: done.filter(|id| visitor.notice.is_some() && past.iter().any(|one| one.id == *id)),
        past,
        formats: import::formats().map(|name| messages::import::format(visitor.language(), name)).collect(),
    };
    visitor.page_with(status, &page)
}

fn past(visitor: &Visitor, one: import::Import) -> Past {
    let f = visitor.format;
    Past {
        id: one.id,
        format: words::source(visitor.texts, &one.format),
        at: f.instant(one.created_at),
        rows: f.number(one.rows),
        added: f.number(one.added),
        existing: f.number(one.existing),
        skipped: f.number(one.skipped),
        undo_lead: visitor.texts.import.undo_lead(one.added.unsigned_abs()),
        file_name: one.file_name,
    }
}

/// `/import/files/{id}`: the original file.
pub async fn file(State(web): State<Web>, who: SignedIn, Path(id): Path<String>) -> Reply {
    let id = find_import(&web, &who, &id).await?;
    let download = import::download(&web.app, who.user_id(), id).await?;
    let disposition = format!("attachment; filename*=UTF-8''{}", escaped(&download.file_name));
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (CONTENT_DISPOSITION, HeaderValue::try_from(disposition).unwrap_or(HeaderValue::from_static("attachment"))),
        (CONTENT_LENGTH, download.bytes.into()),
    ];
    Ok((headers, Body::new(FileBody::new(download.file))).into_response())
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
    let id = find_import(&web, &who, &id).await?;
    let t = who.visitor.texts;
    match import::undo_in_turn(&web.app, who.user_id(), id).await {
        Ok(undone) => Ok(links::to_with("/import", &Notice::ok(t.import.undone(undone.entries)))),
        Err(app::Error::Refused(refusal)) => {
            show(&web, &who, StatusCode::UNPROCESSABLE_ENTITY, Some(who.visitor.refusal(&refusal))).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Another user's import is not found.
async fn find_import(web: &Web, who: &SignedIn, id: &str) -> Result<Uuid, PageError> {
    let id = Uuid::try_parse(id).map_err(|_| PageError::not_found())?;
    import::import_of(&web.app, who.user_id(), id).await?.map(|_| id).ok_or_else(PageError::not_found)
}
