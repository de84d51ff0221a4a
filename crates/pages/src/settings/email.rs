//! `/settings/email/{secret}` and `/settings/verify/{secret}`: the links in e-mails that confirm an address.

use app::accounts;
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use super::SECURITY_PAGE;
use crate::page::Shell;
use crate::visit::{Form, Notice, SignedIn, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "settings_email.html")]
struct Page {
    shell: Shell,
    action: String,
    /// `None` if the link is invalid.
    question: Option<String>,
    save: &'static str,
}

/// Opening the link changes nothing, because mail programs open links too.
pub async fn get(State(web): State<Web>, who: SignedIn, Path(secret): Path<String>) -> Reply {
    let email = accounts::email_of_link(&web.app, who.user_id(), &secret).await?;
    show(&who, Purpose::Change, &secret, email.as_deref())
}

pub async fn get_verify(State(web): State<Web>, who: SignedIn, Path(secret): Path<String>) -> Reply {
    let email = accounts::verifiable(&web.app, who.user_id(), &secret).await?;
    show(&who, Purpose::Verify, &secret, email.as_deref())
}

pub async fn post_verify(State(web): State<Web>, who: SignedIn, Path(secret): Path<String>, _form: Form) -> Reply {
    match accounts::verify(&web.app, who.user_id(), &secret).await? {
        true => Ok(links::to_with(SECURITY_PAGE, &Notice::ok(who.visitor.texts.security.email_verified))),
        false => show(&who, Purpose::Verify, &secret, None),
    }
}

pub async fn post(State(web): State<Web>, who: SignedIn, Path(secret): Path<String>, _form: Form) -> Reply {
    match accounts::finish_email_change(&web.app, who.user_id(), &secret, who.visitor.letters()).await? {
        Some(email) => Ok(links::to_with(SECURITY_PAGE, &Notice::ok(who.visitor.texts.security.email_saved(&email)))),
        None => show(&who, Purpose::Change, &secret, None),
    }
}

enum Purpose {
    Change,
    Verify,
}

fn show(who: &SignedIn, purpose: Purpose, secret: &str, email: Option<&str>) -> Reply {
    let t = &who.visitor.texts.security;
    let (title, path, question, save) = match purpose {
        Purpose::Change => (t.email_link_title, "email", email.map(|email| t.email_link(email)), t.email_link_save),
        Purpose::Verify => (t.email_verify_title, "verify", email.map(|email| t.email_verify_ask(email)), t.email_verify_save),
    };
    let status = if question.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let action = format!("/settings/{path}/{}", links::escaped(secret));
    who.visitor.page_with(status, &Page { shell: who.settings(title), action, question, save })
}
