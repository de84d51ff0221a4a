//! `/settings/security`: password, e-mail address, second factor, sessions, activity.

use app::accounts::{self, EmailChange, Ended, Keep};
use app::authentication::totp;
use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use messages::web::Security;

use super::{SECURITY_PAGE, activity, sessions, with_session};
use crate::account::sign_in::too_many_attempts;
use crate::page::Shell;
use crate::visit::{Confirmed, Form, Notice, SignedIn, links};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "settings_security.html")]
struct Page {
    shell: Shell,
    tab: &'static str,
    /// Whether the forms that need the password are shown.
    confirmed: bool,
    password_problem: Option<String>,
    keep: Keep,
    email_problem: Option<String>,
    email: String,
    email_now: String,
    /// Whether it is unverified and can be verified.
    email_unverified: bool,
    has_factor: bool,
    factor_begun: bool,
    codes_left: String,
    sessions: Vec<sessions::Row>,
    activity: Vec<activity::Row>,
}

pub async fn get(State(web): State<Web>, who: SignedIn) -> Reply {
    who.visitor.page(&page(&web, &who).await?)
}

/// Password managers look here for the page where a password is changed.
pub async fn well_known() -> Reply {
    Ok(links::to(SECURITY_PAGE))
}

/// Counted like sign-in attempts: hashing a password takes a turn in the queue that all users share.
pub async fn password(State(web): State<Web>, parts: Parts, Confirmed(who): Confirmed, form: Form) -> Reply {
    let keep = Keep { tokens: !form.ticked("end_tokens"), feeds: !form.ticked("end_feeds") };
    let changed = match web.admit_attempt(&parts).await {
        Ok(()) => accounts::change_password(&web.app, &who.me, form.raw("password"), keep).await,
        Err(seconds) => Err(app::Error::Wait { seconds }),
    };
    match changed {
        Ok(ended) => {
            let notice = Notice::ok(ended_text(&who.visitor.texts.security, &ended));
            Ok(with_session(links::to_with(SECURITY_PAGE, &notice), &ended.session))
        }
        Err(error) => {
            let page = |problem, page| Page { password_problem: Some(problem), keep, ..page };
            again(&web, &who, error, page).await
        }
    }
}

/// Shows the page with the problem of one of its forms.
async fn again(web: &Web, who: &SignedIn, error: app::Error, with: impl FnOnce(String, Page) -> Page) -> Reply {
    let visitor = &who.visitor;
    match error {
        app::Error::Wait { seconds } => {
            let page = with(visitor.texts.error_page.too_many.to_owned(), page(web, who).await?);
            too_many_attempts(visitor.page_with(StatusCode::TOO_MANY_REQUESTS, &page), seconds)
        }
        app::Error::Refused(refusal) => {
            let page = with(visitor.refusal(&refusal), page(web, who).await?);
            visitor.page_with(StatusCode::UNPROCESSABLE_ENTITY, &page)
        }
        error => Err(error.into()),
    }
}

fn ended_text(t: &Security, ended: &Ended) -> String {
    let counted = [
        (ended.sessions > 0).then(|| t.ended_sessions(ended.sessions)),
        (ended.apps > 0).then(|| t.ended_apps(ended.apps)),
        (ended.tokens > 0).then(|| t.ended_tokens(ended.tokens)),
        (ended.feeds > 0).then(|| t.ended_feeds(ended.feeds)),
    ];
    let list: Vec<String> = counted.into_iter().flatten().collect();
    match list.is_empty() {
        true => t.password_saved.to_owned(),
        false => t.password_saved_ended(list.join(", ")),
    }
}

/// Mails a link that proves the address belongs to the user.
pub async fn verify(State(web): State<Web>, parts: Parts, who: SignedIn, _form: Form) -> Reply {
    if let Err(seconds) = web.admit_attempt(&parts).await {
        return email_again(&web, &who, "", app::Error::Wait { seconds }).await;
    }
    accounts::request_verification(&web.app, who.user_id(), web.base_url(), who.visitor.letters()).await?;
    let sent = who.visitor.texts.security.email_verify_sent(&who.me.email);
    Ok(links::to_with(SECURITY_PAGE, &Notice::ok(sent)))
}

/// Counted like sign-in attempts: a refused address may be somebody else's account.
pub async fn email(State(web): State<Web>, parts: Parts, Confirmed(who): Confirmed, form: Form) -> Reply {
    let (t, email) = (&who.visitor.texts.security, form.text("email"));
    let changed = match web.admit_attempt(&parts).await {
        Ok(()) => accounts::change_email(&web.app, who.user_id(), email, web.base_url(), who.visitor.letters()).await,
        Err(seconds) => Err(app::Error::Wait { seconds }),
    };
    let notice = |text: String| Ok(links::to_with(SECURITY_PAGE, &Notice::ok(text)));
    match changed {
        Ok(EmailChange::Done) => notice(t.email_saved(email)),
        Ok(EmailChange::Mailed) => notice(t.email_mailed(email)),
        Err(error) => email_again(&web, &who, email, error).await,
    }
}

async fn email_again(web: &Web, who: &SignedIn, email: &str, error: app::Error) -> Reply {
    again(web, who, error, |problem, page| Page { email: email.to_owned(), email_problem: Some(problem), ..page }).await
}

async fn page(web: &Web, who: &SignedIn) -> Result<Page, app::Error> {
    let t = &who.visitor.texts.security;
    let codes_left = totp::recovery_codes_left(&web.app, who.user_id()).await?;
    Ok(Page {
        shell: who.settings(who.visitor.texts.settings.security),
        tab: "security",
        confirmed: who.is_confirmed(web),
        password_problem: None,
        keep: Keep::default(),
        email_problem: None,
        email: String::new(),
        email_now: t.email_now(&who.me.email),
        email_unverified: accounts::can_mail(&web.app) && !accounts::is_verified(&web.app, who.user_id()).await?,
        has_factor: who.me.has_totp,
        factor_begun: totp::pending_setup(&web.app, &who.me).await?.is_some(),
        codes_left: t.factor_codes_left(codes_left.unsigned_abs()),
        sessions: sessions::rows(web, who).await?,
        activity: activity::rows(web, who).await?,
    })
}
