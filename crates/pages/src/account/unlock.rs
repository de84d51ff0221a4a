//! `/unlock`: the owner unlocks an account by e-mail after too many wrong passwords.

use app::authentication::unlocking;
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;

use crate::account::sign_in::{show as show_sign_in, too_many_attempts};
use crate::page::{Section, Shell};
use crate::visit::{Form, Notice, Visitor, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "unlock.html")]
struct Page {
    shell: Shell,
    action: String,
    usable: bool,
}

/// Answers the same whether or not the address has an account.
pub async fn post(State(web): State<Web>, parts: Parts, visitor: Visitor, form: Form) -> Reply {
    let (t, email) = (visitor.texts, form.text("email"));
    if let Err(seconds) = web.admit_attempt(&parts).await {
        let problem = Some(t.error_page.too_many.to_owned());
        return too_many_attempts(show_sign_in(&web, &visitor, StatusCode::TOO_MANY_REQUESTS, email, "/", problem), seconds);
    }
    unlocking::request(&web.app, email, web.base_url(), visitor.letters());
    Ok(links::to_with("/sign-in", &Notice::ok(t.sign_in.unlock_sent)))
}

/// Opening the link changes nothing, because mail programs open links too.
pub async fn get_link(State(web): State<Web>, visitor: Visitor, Path(secret): Path<String>) -> Reply {
    show(&visitor, &secret, unlocking::is_good(&web.app, &secret).await?)
}

pub async fn post_link(State(web): State<Web>, visitor: Visitor, Path(secret): Path<String>, _form: Form) -> Reply {
    match unlocking::finish(&web.app, &secret).await? {
        true => Ok(links::to_with("/sign-in", &Notice::ok(visitor.texts.sign_in.unlock_done))),
        false => show(&visitor, &secret, false),
    }
}

fn show(visitor: &Visitor, secret: &str, usable: bool) -> Reply {
    let shell = visitor.shell(visitor.texts.sign_in.unlock_title, Section::None);
    let page = Page { shell, action: format!("/unlock/{}", links::escaped(secret)), usable };
    visitor.page_with(if usable { StatusCode::OK } else { StatusCode::NOT_FOUND }, &page)
}
