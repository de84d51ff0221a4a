//! `/settings/email/{secret}` and `/settings/verify/{secret}`: the links in e-mails that confirm an address.

use app::accounts;
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;

use super::SECURITY_PAGE;
use crate::web::page::Shell;
use crate::web::visit::forms::Form;
use crate::web::visit::links;
use crate::web::visit::notice::Notice;
use crate::web::visit::visitor::SignedIn;
use crate::web::{Reply, Web};

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
    show(&who, &secret, email.as_deref())
}

pub async fn get_verify(State(web): State<Web>, who: SignedIn, Path(secret): Path<String>) -> Reply {
    let email = accounts::verifiable(&web.app, who.user_id(), &secret).await?;
    show_verify(&who, &secret, email.as_deref())
}

pub async fn post_verify(State(web): State<Web>, who: SignedIn, Path(secret): Path<String>, _form: Form) -> Reply {
    match accounts::verify(&web.app, who.user_id(), &secret).await? {
        true => Ok(links::to_with(SECURITY_PAGE, &Notice::ok(who.visitor.texts.security.email_verified))),
        false => show_verify(&who, &secret, None),
    }
}

pub async fn post(State(web): State<Web>, who: SignedIn, Path(secret): Path<String>, _form: Form) -> Reply {
    match accounts::finish_email_change(&web.app, who.user_id(), &secret, who.visitor.letters()).await? {
        Some(email) => {
            let saved = who.visitor.texts.security.email_saved(&email);
            Ok(links::to_with(SECURITY_PAGE, &Notice::ok(saved)))
        }
        None => show(&who, &secret, None),
    }
}

fn show(who: &SignedIn, secret: &str, email: Option<&str>) -> Reply {
    let t = &who.visitor.texts.security;
    let page = Page {
        shell: who.settings(t.email_link_title),
        action: format!("/settings/email/{}", links::escaped(secret)),
        question: email.map(|email| t.email_link(email)),
        save: t.email_link_save,
    };
    answer(who, &page)
}

fn show_verify(who: &SignedIn, secret: &str, email: Option<&str>) -> Reply {
    let t = &who.visitor.texts.security;
    let page = Page {
        shell: who.settings(t.email_verify_title),
        action: format!("/settings/verify/{}", links::escaped(secret)),
        question: email.map(|email| t.email_verify_ask(email)),
        save: t.email_verify_save,
    };
    answer(who, &page)
}

fn answer(who: &SignedIn, page: &Page) -> Reply {
    who.visitor.page_with(if page.question.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND }, page)
}
