//! `/device`: the user types the code shown by an app without a browser, sees which app asks, and decides.

use app::oauth::device::{self, Decided};
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use serving::{Query, Reason};

use super::{Asking, consent, form_of, is_recent};
use crate::page::{Section, Shell};
use crate::visit::{Confirmed, Form, Notice, PageError, SignedIn, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "device.html")]
struct Page {
    shell: Shell,
    code: String,
    problem: Option<&'static str>,
}

#[derive(Template)]
#[template(path = "device_decide.html")]
struct Decide {
    shell: Shell,
    asking: Asking,
    lead: String,
    email: String,
    code: String,
    once: String,
}

/// Only fills in the code from the address: the user still has to confirm it.
pub async fn get(Confirmed(who): Confirmed, parts: Parts) -> Reply {
    let query = Query::parse(parts.uri.query()).ok();
    let code = query.as_ref().and_then(|query| query.text("code").ok().flatten()).unwrap_or_default();
    entry(&who, StatusCode::OK, code.chars().take(20).collect(), None)
}

fn entry(who: &SignedIn, status: StatusCode, code: String, problem: Option<&'static str>) -> Reply {
    let shell = who.visitor.shell(who.visitor.texts.connect.device_title, Section::Settings);
    who.visitor.page_with(status, &Page { shell, code, problem })
}

pub async fn post(State(web): State<Web>, who: SignedIn, parts: Parts, form: Form) -> Reply {
    admit(&web, &parts).await?;
    let code = form.text("code");
    if !is_recent(&web, &who) {
        return Ok(links::to_confirm_for(&entry_of(code)));
    }
    let t = &who.visitor.texts.connect;
    let Some(waiting) = device::look(&web.app, web.documents(), code).await? else {
        let typed = code.chars().take(20).collect();
        return entry(&who, StatusCode::UNPROCESSABLE_ENTITY, typed, Some(t.device_unknown));
    };
    let page = Decide {
        shell: who.visitor.shell(t.device_title, Section::Settings),
        lead: t.lead(t.app_name(&waiting.client.name)),
        asking: Asking {
            known: t.device_not_proven.to_owned(),
            ..Asking::of(&waiting.client, waiting.audience, who.visitor.texts)
        },
        email: who.me.email.clone(),
        code: code.to_owned(),
        once: who.visitor.single_use_token(&entry_of(code), web.app.clock.now_micros()),
    };
    who.visitor.page(&page)
}

pub async fn decide(State(web): State<Web>, who: SignedIn, parts: Parts, form: Form) -> Reply {
    admit(&web, &parts).await?;
    let t = &who.visitor.texts.connect;
    let (code, allow) = (form.text("code"), form.text("decision") == "allow");
    let again = entry_of(code);
    if !is_recent(&web, &who) {
        return Ok(links::to_confirm_for(&again));
    }
    let Some(once) = form_of(&web, &who, form.raw("once"), &again) else { return consent::expired(&who.visitor, &again) };
    match device::decide(&web.app, web.documents(), who.user_id(), code, once, allow).await? {
        Decided::Unknown => entry(&who, StatusCode::UNPROCESSABLE_ENTITY, String::new(), Some(t.device_unknown)),
        Decided::Repeated => consent::repeated(&who.visitor, "/device"),
        Decided::Done if allow => Ok(links::to_with("/settings/access", &Notice::ok(t.device_allowed))),
        Decided::Done => Ok(links::to_with("/settings/access", &Notice::ok(t.device_denied))),
    }
}

/// The page with the code filled in; also the purpose of its form token.
fn entry_of(code: &str) -> String {
    let code: String = code.chars().take(20).collect();
    format!("/device?code={}", links::escaped(&code))
}

/// Codes are short enough to be guessed with many attempts.
async fn admit(web: &Web, parts: &Parts) -> Result<(), PageError> {
    let decision = web.shared.device_codes.check(web.client(parts).into()).await;
    match decision.allowed {
        true => Ok(()),
        false => {
            let wait = PageError::new(StatusCode::TOO_MANY_REQUESTS, |t| t.connect.device_wait);
            Err(wait.because(Reason::Limit))
        }
    }
}
