//! Calendar feeds: create and revoke them. The address is shown once.

use app::authentication::feeds;
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use uuid::Uuid;

use super::{ADDRESS, Typed, show};
use crate::page::{Section, Shell};
use crate::visit::{Confirmed, Form, Notice, PageError, SignedIn, links};
use crate::{Reply, Web};

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
    match app::Error::or_refusal(feeds::create(&web.app, who.user_id(), name).await)? {
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
        Err(refusal) => {
            let typed = Typed { name: name.to_owned(), days: None, problem: Some(who.visitor.refusal(&refusal)) };
            show(&web, &who, StatusCode::UNPROCESSABLE_ENTITY, Typed::default(), typed).await
        }
    }
}

pub async fn revoke(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let id = form.text("id").parse::<Uuid>().map_err(|_| PageError::not_found())?;
    feeds::revoke(&web.app, who.user_id(), id).await.map_err(PageError::concealed)?;
    Ok(links::to_with(ADDRESS, &Notice::ok(who.visitor.texts.access.feed_revoked)))
}
