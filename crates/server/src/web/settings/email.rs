//! `/settings/email/{secret}`: where the letter to a new address leads.

use app::accounts;
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use super::security::PAGE;
use crate::web::forms::Form;
use crate::web::links;
use crate::web::notice::Notice;
use crate::web::page::Shell;
use crate::web::text::fill;
use crate::web::visitor::SignedIn;
use crate::web::{Reply, Web};

#[derive(Template)]
#[template(path = "settings_email.html")]
struct Page {
    shell: Shell,
    action: String,
    /// None when the link is not good.
    question: Option<String>,
}

/// Nothing changes before the button is pressed: mail programs open links, too.
pub async fn get(State(web): State<Web>, who: SignedIn, Path(secret): Path<String>) -> Reply {
    let email = accounts::email_of_link(&web.app, who.user_id(), &secret).await?;
    show(&who, &secret, email.as_deref())
}

pub async fn post(State(web): State<Web>, who: SignedIn, Path(secret): Path<String>, _form: Form) -> Reply {
    match accounts::finish_email_change(&web.app, who.user_id(), &secret).await? {
        Some(email) => {
            let saved = fill(who.visitor.texts.security.email_saved, &[("email", &email)]);
            Ok(links::to_with(PAGE, &Notice::ok(saved)))
        }
        None => show(&who, &secret, None),
    }
}

fn show(who: &SignedIn, secret: &str, email: Option<&str>) -> Reply {
    let t = &who.visitor.texts.security;
    let page = Page {
        shell: who.settings(t.email_link_title),
        action: format!("/settings/email/{}", links::escaped(secret)),
        question: email.map(|email| fill(t.email_link, &[("email", email)])),
    };
    who.visitor.page_with(if email.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND }, &page)
}
