//! `/settings/access`: what can read the account from outside: personal tokens, connected apps and calendar feeds.

mod apps;
mod feeds;
mod tokens;

use app::authentication::feeds::{self as feed_list, Feed};
use app::authentication::tokens::{self as token_list, Token};
use app::oauth::Audience;
use app::oauth::grants::{self, Grant};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::page::{Section, Shell};
use crate::visit::{SignedIn, links};
use crate::{Reply, Web};

pub use apps::{revoke as revoke_app, revoke_all as revoke_apps};
pub use feeds::{create as create_feed, revoke as revoke_feed};
pub use tokens::{create as create_token, revoke as revoke_token};

const ADDRESS: &str = "/settings/access";

#[derive(Template)]
#[template(path = "access.html")]
struct Page {
    shell: Shell,
    tab: &'static str,
    tokens: Vec<Token>,
    /// Expired or revoked.
    ended: Vec<Token>,
    ended_title: String,
    terms: Vec<tokens::Term>,
    apps: Vec<Grant>,
    feeds: Vec<Feed>,
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
    let (user_id, now) = (who.user_id(), web.app.clock.now_micros());
    let is_live = |token: &Token| token.revoked_at.is_none() && token.expires_at.is_none_or(|end| now < end);
    let (tokens, ended): (Vec<Token>, _) = token_list::list(&web.app, user_id).await?.into_iter().partition(is_live);
    let page = Page {
        shell: visitor.shell(visitor.texts.access.title, Section::Settings),
        tab: "access",
        tokens,
        ended_title: visitor.texts.access.tokens_ended(ended.len() as u64),
        ended,
        terms: tokens::terms(visitor.texts, token.days),
        apps: grants::list(&web.app, user_id).await?,
        feeds: feed_list::list(&web.app, user_id).await?,
        token,
        feed,
    };
    visitor.page_with(status, &page)
}
