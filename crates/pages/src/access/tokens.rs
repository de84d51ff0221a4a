//! Personal tokens: create and revoke them. A token is shown once.

use app::authentication::tokens;
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use messages::web::Texts;
use uuid::Uuid;

use super::{ADDRESS, Typed, show};
use crate::page::{Section, Shell};
use crate::visit::{Confirmed, Form, Notice, PageError, SignedIn, links};
use crate::{Reply, Web};

/// A lifetime the form offers.
pub(super) struct Term {
    pub days: Option<u16>,
    pub label: String,
    pub chosen: bool,
}

const TERMS: [Option<u16>; 4] = [None, Some(30), Some(90), Some(365)];

pub(super) fn terms(t: &Texts, chosen: Option<u16>) -> Vec<Term> {
    let label = |days: Option<u16>| match days {
        None => t.access.expiry_none.to_owned(),
        Some(days) => t.access.expiry_days(days),
    };
    TERMS.into_iter().map(|days| Term { days, label: label(days), chosen: days == chosen }).collect()
}

#[derive(Template)]
#[template(path = "access_token.html")]
struct Made {
    shell: Shell,
    tab: &'static str,
    lead: String,
    token: String,
    curl: String,
}

/// The only response that contains the token. Browsers may not store it, so going back does not show it again.
pub async fn create(State(web): State<Web>, Confirmed(who): Confirmed, form: Form) -> Reply {
    let days = form.non_empty("days").and_then(|days| days.parse().ok()).filter(|days| TERMS.contains(&Some(*days)));
    let name = form.text("name");
    match app::Error::or_refusal(tokens::create_for(&web.app, who.user_id(), name, days).await)? {
        Ok(made) => {
            let t = &who.visitor.texts.access;
            let page = Made {
                shell: who.visitor.shell(t.token_made_title, Section::Settings),
                tab: "access",
                lead: t.token_made_lead(name),
                curl: format!("curl -H \"Authorization: Bearer {}\" {}/api/v1/me", made.token, web.base_url()),
                token: made.token,
            };
            who.visitor.page(&page)
        }
        Err(refusal) => {
            let typed = Typed { name: name.to_owned(), days, problem: Some(who.visitor.refusal(&refusal)) };
            show(&web, &who, StatusCode::UNPROCESSABLE_ENTITY, typed, Typed::default()).await
        }
    }
}

/// The next request with the token is already refused.
pub async fn revoke(State(web): State<Web>, who: SignedIn, form: Form) -> Reply {
    let id = form.text("id").parse::<Uuid>().map_err(|_| PageError::not_found())?;
    tokens::revoke_of(&web.app, who.user_id(), id).await.map_err(PageError::concealed)?;
    Ok(links::to_with(ADDRESS, &Notice::ok(who.visitor.texts.access.token_revoked)))
}
