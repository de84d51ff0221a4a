//! `/settings/security/factor`: set up or turn off the second factor, and get new recovery codes.

use app::authentication::totp;
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;

use super::SECURITY_PAGE;
use super::{qr, with_session};
use crate::format::Html;
use crate::page::{Section, Shell};
use crate::visit::{Confirmed, Form, Notice, SignedIn, Visitor, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "settings_factor.html")]
struct SetupPage {
    shell: Shell,
    tab: &'static str,
    picture: Option<Html>,
    secret: String,
    problem: Option<&'static str>,
}

#[derive(Template)]
#[template(path = "settings_codes.html")]
struct CodesPage {
    shell: Shell,
    tab: &'static str,
    /// Whether the second factor was just turned on.
    turned_on: bool,
    codes: Vec<String>,
}

pub async fn get(State(web): State<Web>, Confirmed(who): Confirmed) -> Reply {
    show(&web, &who, StatusCode::OK, None).await
}

pub async fn begin(State(web): State<Web>, Confirmed(who): Confirmed, _form: Form) -> Reply {
    totp::begin(&web.app, &who.me).await?;
    Ok(links::to("/settings/security/factor"))
}

/// Responds with the recovery codes, which are shown only once.
pub async fn confirm(State(web): State<Web>, Confirmed(mut who): Confirmed, form: Form) -> Reply {
    match totp::confirm(&web.app, &who.me, form.text("code")).await? {
        Some(enabled) => {
            who.visitor.set_session(&enabled.session);
            let response = codes_page(&who.visitor, true, enabled.recovery_codes)?;
            Ok(with_session(response, &enabled.session))
        }
        None => {
            let problem = who.visitor.texts.security.setup_wrong;
            show(&web, &who, StatusCode::UNPROCESSABLE_ENTITY, Some(problem)).await
        }
    }
}

pub async fn disable(State(web): State<Web>, Confirmed(who): Confirmed, _form: Form) -> Reply {
    let session = totp::disable(&web.app, &who.me).await?;
    let notice = Notice::ok(who.visitor.texts.security.factor_disabled);
    Ok(with_session(links::to_with(SECURITY_PAGE, &notice), &session))
}

/// Also shown only once.
pub async fn new_codes(State(web): State<Web>, Confirmed(who): Confirmed, _form: Form) -> Reply {
    let codes = totp::new_recovery_codes(&web.app, who.user_id()).await?;
    codes_page(&who.visitor, false, codes)
}

async fn show(web: &Web, who: &SignedIn, status: StatusCode, problem: Option<&'static str>) -> Reply {
    let Some(setup) = totp::pending_setup(&web.app, &who.me).await? else { return Ok(links::to(SECURITY_PAGE)) };
    let t = &who.visitor.texts.security;
    let page = SetupPage {
        shell: who.settings(t.setup_title),
        tab: "security",
        picture: qr::picture(&setup.url, t.setup_qr),
        secret: setup.secret,
        problem,
    };
    who.visitor.page_with(status, &page)
}

fn codes_page(visitor: &Visitor, turned_on: bool, codes: Vec<String>) -> Reply {
    let shell = visitor.shell(visitor.texts.security.codes_title, Section::Settings);
    visitor.page(&CodesPage { shell, tab: "security", turned_on, codes })
}
