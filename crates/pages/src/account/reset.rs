//! `/reset`: a new password for somebody who forgot theirs.

use app::authentication::resets;
use askama::Template;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::request::Parts;

use crate::account::sign_in::too_many_attempts;
use crate::page::{Section, Shell};
use crate::visit::{Form, Notice, Visitor, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "reset.html")]
struct AskPage {
    shell: Shell,
    can_mail: bool,
    problem: Option<&'static str>,
}

pub async fn get(State(web): State<Web>, visitor: Visitor) -> Reply {
    visitor.page(&ask_page(&web, &visitor, None))
}

/// Answers the same whether or not the address has an account, and writes the e-mail afterwards.
pub async fn post(State(web): State<Web>, parts: Parts, visitor: Visitor, form: Form) -> Reply {
    if let Err(seconds) = web.admit_attempt(&parts).await {
        let page = ask_page(&web, &visitor, Some(visitor.texts.error_page.too_many));
        return too_many_attempts(visitor.page_with(StatusCode::TOO_MANY_REQUESTS, &page), seconds);
    }
    resets::request(&web.app, form.text("email"), web.base_url(), visitor.letters());
    Ok(links::to_with("/sign-in", &Notice::ok(visitor.texts.sign_in.reset_sent)))
}

fn ask_page(web: &Web, visitor: &Visitor, problem: Option<&'static str>) -> AskPage {
    let shell = visitor.shell(visitor.texts.sign_in.reset_title, Section::None);
    AskPage { shell, can_mail: resets::is_possible(&web.app), problem }
}

#[derive(Template)]
#[template(path = "reset_choose.html")]
struct ChoosePage {
    shell: Shell,
    action: String,
    usable: bool,
    problem: Option<String>,
}

pub async fn get_choose(State(web): State<Web>, visitor: Visitor, Path(secret): Path<String>) -> Reply {
    let usable = resets::is_good(&web.app, &secret).await?;
    let problem = (!usable).then(|| visitor.texts.sign_in.reset_bad.to_owned());
    visitor
        .page_with(if usable { StatusCode::OK } else { StatusCode::NOT_FOUND }, &choose_page(&visitor, &secret, usable, problem))
}

pub async fn post_choose(
    State(web): State<Web>,
    parts: Parts,
    visitor: Visitor,
    Path(secret): Path<String>,
    form: Form,
) -> Reply {
    let again = |status, usable, problem: &str| {
        visitor.page_with(status, &choose_page(&visitor, &secret, usable, Some(problem.to_owned())))
    };
    if let Err(seconds) = web.admit_attempt(&parts).await {
        return too_many_attempts(again(StatusCode::TOO_MANY_REQUESTS, true, visitor.texts.error_page.too_many), seconds);
    }
    match app::Error::or_refusal(resets::finish(&web.app, &secret, form.raw("password")).await)? {
        Ok(true) => Ok(links::to_with("/sign-in", &Notice::ok(visitor.texts.sign_in.reset_done))),
        Ok(false) => again(StatusCode::NOT_FOUND, false, visitor.texts.sign_in.reset_bad),
        Err(refusal) => again(StatusCode::UNPROCESSABLE_ENTITY, true, &visitor.refusal(&refusal)),
    }
}

fn choose_page(visitor: &Visitor, secret: &str, usable: bool, problem: Option<String>) -> ChoosePage {
    let shell = visitor.shell(visitor.texts.sign_in.reset_title, Section::None);
    ChoosePage { shell, action: format!("/reset/{}", links::escaped(secret)), usable, problem }
}
