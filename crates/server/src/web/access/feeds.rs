//! Calendar feeds: list, create and revoke them. The address is shown once.

use app::authentication::feeds;
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use uuid::Uuid;

use super::{ADDRESS, Typed, show};
use crate::web::format::Html;
use crate::web::page::{Section, Shell};
use crate::web::visit::forms::Form;
use crate::web::visit::links;
use crate::web::visit::notice::Notice;
use crate::web::visit::page_error::PageError;
use crate::web::visit::visitor::{Confirmed, SignedIn};
use crate::web::{Reply, Web};

pub(super) struct Row {
    pub id: Uuid,
    pub name: String,
    pub created: Html,
    pub last_used: Option<Html>,
}

pub(super) async fn rows(web: &Web, who: &SignedIn) -> Result<Vec<Row>, PageError> {
    let f = who.visitor.format;
    let feeds = feeds::list(&web.app, who.user_id()).await?.into_iter();
    let rows = feeds.map(|feed| Row {
        id: feed.id,
        name: feed.name,
        created: f.instant(feed.created_at),
        last_used: feed.last_used_at.map(|at| f.instant(at)),
    });
    Ok(rows.collect())
}

#[derive(Template)]
#[template(path = "access_feed.html")]
struct Made {
    shell: Shell,
    tab: &'static str,
    lead: String,
    address: String,
    /// The same address with the `webcal:` scheme, which opens in a calendar program.
    webcal: String,
}

/// The only response that contains the address.
pub async fn create(State(web): State<Web>, Confirmed(who): Confirmed, form: Form) -> Reply {
    let name = form.text("name");
    match feeds::create(&web.app, who.user_id(), name).await {
        Ok(made) => {
            let t = &who.visitor.texts.access;
            let address = format!("{}/feed/{}.ics", web.base_url(), made.secret);
            let after_scheme = address.split_once("://").map_or("", |(_, rest)| rest);
            let page = Made {
                shell: who.visitor.shell(t.feed_made_title, Section::Settings),
                tab: "access",
                lead: t.feed_made_lead(name),
                webcal: format!("webcal://{after_scheme}"),
                address,
            };
            who.visitor.page(&page)
        }
        Err(app::Error::Refused(refusal)) => {
            let typed = Typed { name: name.to_owned(), days: None, problem: Some(who.visitor.refusal(&refusal)) };
            show(&web, &who, StatusCode::UNPROCESSABLE_ENTITY, Typed::default(), typed).await
        }
        Err(error) => Err(error.into()),
    }
}

pub async fn revoke(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let id = form.text("id").parse::<Uuid>().map_err(|_| PageError::not_found())?;
    match feeds::revoke(&web.app, who.user_id(), id).await {
        Ok(()) => Ok(links::to_with(ADDRESS, &Notice::ok(who.visitor.texts.access.feed_revoked))),
        Err(app::Error::Refused(_)) => Err(PageError::not_found()),
        Err(error) => Err(error.into()),
    }
}
