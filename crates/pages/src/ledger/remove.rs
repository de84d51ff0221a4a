//! `/ledger/{sequence}/delete`: shows the entry before deleting it. The ledger then offers to undo that.

use app::entries;
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;

use super::doubts::{self, Doubts};
use super::selected::list_of;
use super::sheet::back_query;
use super::{Row, edit, imported_files, shown, words};
use crate::page::{Section, Shell};
use crate::visit::{Form, SignedIn, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "entry_delete.html")]
struct Page {
    shell: Shell,
    row: Row,
    /// They reinvest it, and are deleted with it.
    purchases: Vec<Row>,
    problem: Option<String>,
    doubts: Doubts,
    /// The list that it leads back to, and the same as a query.
    back: String,
    next: String,
}

pub async fn get(State(web): State<Web>, who: SignedIn, Path(sequence): Path<String>, parts: Parts) -> Reply {
    show(&web, &who, &sequence, StatusCode::OK, None, &edit::list_from(&parts)).await
}

pub async fn post(State(web): State<Web>, who: SignedIn, Path(sequence): Path<String>, form: Form) -> Reply {
    let (known, _) = edit::find_entry(&web, &who, &sequence).await?;
    if !doubts::are_known(&form, &entries::of_removal(&web.app, who.user_id(), known).await?) {
        return show(&web, &who, &sequence, StatusCode::UNPROCESSABLE_ENTITY, None, list_of(&form)).await;
    }
    match entries::remove(&web.app, who.user_id(), known).await {
        Ok(()) => Ok(links::to(list_of(&form))),
        Err(app::Error::Entry(problems)) => {
            let reasons: Vec<String> =
                words::problems(&who.visitor, &problems).into_iter().map(|problem| problem.reason).collect();
            show(&web, &who, &sequence, StatusCode::UNPROCESSABLE_ENTITY, Some(reasons.join(" ")), list_of(&form)).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn show(web: &Web, who: &SignedIn, sequence: &str, status: StatusCode, problem: Option<String>, list: &str) -> Reply {
    let (known, row) = edit::find_entry(web, who, sequence).await?;
    let visitor = &who.visitor;
    let shell = visitor.shell(visitor.texts.ledger.delete_title, Section::Ledger);
    let doubts = entries::of_removal(&web.app, who.user_id(), known).await?;
    let doubts = Doubts::of(visitor, &doubts);
    let files = imported_files(web, who).await?;
    let purchases = entries::purchases(&web.app, who.user_id(), &row).await?;
    let purchases = purchases.into_iter().map(|purchase| shown(visitor, purchase, &files)).collect();
    let row = shown(visitor, row, &files);
    visitor.page_with(status, &Page { shell, row, purchases, problem, doubts, back: list.to_owned(), next: back_query(list) })
}
