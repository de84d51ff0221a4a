//! `/settings/access`: what can read the account from outside: personal tokens, connected apps and calendar feeds.

mod apps;
mod feeds;
mod tokens;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::web::page::{Section, Shell};
use crate::web::visit::links;
use crate::web::visit::visitor::SignedIn;
use crate::web::{Reply, Web};

pub use apps::{revoke as revoke_app, revoke_all as revoke_apps};
pub use feeds::{create as create_feed, revoke as revoke_feed};
pub use tokens::{create as create_token, revoke as revoke_token};

const ADDRESS: &str = "/settings/access";

#[derive(Template)]
#[template(path = "access.html")]
struct Page {
    shell: Shell,
    tab: &'static str,
    tokens: Vec<tokens::Row>,
    ended: Vec<tokens::Row>,
    ended_title: String,
    terms: Vec<tokens::Term>,
    apps: Vec<apps::Row>,
    feeds: Vec<feeds::Row>,
    token: Typed,
    feed: Typed,
}

/// What was typed, to show the form again.
#[derive(Default)]
struct Typed {
    name: String,
    days: Option<u16>,
    problem: Option<String>,
}

pub async fn get(State(web): State<Web>, who: SignedIn) -> Reply {
    show(&web, &who, StatusCode::OK, Typed::default(), Typed::default()).await
}

/// A form's address opened as a page: a secret shown there is not shown again.
pub async fn back() -> Response {
    links::to(ADDRESS)
}

async fn show(web: &Web, who: &SignedIn, status: StatusCode, token: Typed, feed: Typed) -> Reply {
    let visitor = &who.visitor;
    let (tokens, ended) = tokens::rows(web, who).await?;
    let page = Page {
        shell: visitor.shell(visitor.texts.access.title, Section::Settings),
        tab: "access",
        tokens,
        ended_title: visitor.texts.access.tokens_ended(ended.len() as u64),
        ended,
        terms: tokens::terms(visitor.texts, token.days),
        apps: apps::rows(web, who).await?,
        feeds: feeds::rows(web, who).await?,
        token,
        feed,
    };
    visitor.page_with(status, &page)
}
