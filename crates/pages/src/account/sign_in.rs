//! `/sign-in`, `/sign-in/code`, `/sign-out`, `/confirm`

use app::accounts;
use app::authentication::sessions;
use app::authentication::sign_in::{self, Attempt, Outcome};
use askama::Template;
use axum::extract::State;
use axum::http::header::{RETRY_AFTER, USER_AGENT};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use messages::web::Texts;
use serving::{ClientKey, Denied, Query, Reason};

use crate::page::{Section, Shell};
use crate::visit::{
    Form, Notice, SignedIn, Visitor, cookies,
    links::{self, own_path},
};
use crate::{Reply, Web};

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    shell: Shell,
    email: String,
    next: String,
    problem: Option<String>,
    can_sign_up: bool,
    /// Whether the account is locked for a while and its owner can unlock it by e-mail.
    can_unlock: bool,
    /// Neither HTTPS nor this machine: a browser would not keep the cookie.
    insecure: bool,
}

pub async fn get(State(web): State<Web>, visitor: Visitor, parts: Parts) -> Reply {
    let next = next_of(&parts);
    if visitor.me.is_some() {
        return Ok(links::to(&next));
    }
    if accounts::is_first_start(&web.app).await? {
        return Ok(links::to("/welcome"));
    }
    show(&web, &visitor, StatusCode::OK, "", &next, None)
}

pub async fn post(State(web): State<Web>, parts: Parts, visitor: Visitor, form: Form) -> Reply {
    let (email, next) = (form.text("email"), own_path(form.raw("next")).to_owned());
    let t = visitor.texts;
    if let Err(seconds) = web.admit_attempt(&parts).await {
        let page = show(&web, &visitor, StatusCode::TOO_MANY_REQUESTS, email, &next, Some(wait_text(t, seconds)));
        return too_many_attempts(page, seconds);
    }
    let address = web.client(&parts).to_string();
    let device = cookies::read(&parts.headers, cookies::DEVICE);
    let attempt = Attempt { email, password: form.raw("password"), device, agent: agent(&parts.headers), address: &address };
    match sign_in::sign_in(&web.app, &attempt).await? {
        Outcome::Open { session, device } => Ok(signed_in(&session, &device, &next)),
        Outcome::Code { session } => {
            let mut response = links::to(&format!("/sign-in/code?next={}", links::escaped(&next)));
            cookies::set(response.headers_mut(), cookies::SESSION, &session, Some(600));
            Ok(response)
        }
        Outcome::Wrong => {
            show(&web, &visitor, StatusCode::UNPROCESSABLE_ENTITY, email, &next, Some(t.sign_in.wrong.to_owned())).map(denied)
        }
        Outcome::Wait { seconds } => {
            let page = SignInPage {
                can_unlock: accounts::can_mail(&web.app),
                ..page(&web, &visitor, email, &next, Some(wait_text(t, seconds)))
            };
            too_many_attempts(visitor.page_with(StatusCode::TOO_MANY_REQUESTS, &page), seconds)
        }
    }
}

/// Signs the browser in. Earlier forms become invalid, because the secret they were bound to is replaced.
pub fn signed_in(session: &str, device: &str, next: &str) -> Response {
    let mut response = links::to(next);
    let headers = response.headers_mut();
    cookies::set(headers, cookies::SESSION, session, Some(30 * cookies::DAY));
    cookies::set(headers, cookies::DEVICE, device, Some(400 * cookies::DAY));
    cookies::clear(headers, cookies::FORM);
    response
}

pub fn show(web: &Web, visitor: &Visitor, status: StatusCode, email: &str, next: &str, problem: Option<String>) -> Reply {
    visitor.page_with(status, &page(web, visitor, email, next, problem))
}

fn page(web: &Web, visitor: &Visitor, email: &str, next: &str, problem: Option<String>) -> SignInPage {
    SignInPage {
        shell: Shell { offers_sign_in: false, ..visitor.shell(visitor.texts.sign_in.title, Section::None) },
        email: email.to_owned(),
        next: next.to_owned(),
        problem,
        can_sign_up: web.shared.sign_up == accounts::SignUp::Open,
        can_unlock: false,
        insecure: web.is_insecure(),
    }
}

#[derive(Template)]
#[template(path = "sign_in_code.html")]
struct CodePage {
    shell: Shell,
    next: String,
    problem: Option<String>,
    /// The e-mail address whose lock can be lifted by e-mail.
    unlock: Option<String>,
}

pub async fn get_code(State(web): State<Web>, visitor: Visitor, parts: Parts) -> Reply {
    let session = cookies::read(&parts.headers, cookies::SESSION).unwrap_or_default();
    if sign_in::pending_email(&web.app, session).await?.is_none() {
        return Ok(links::to("/sign-in"));
    }
    show_code(&visitor, StatusCode::OK, &next_of(&parts), None)
}

pub async fn post_code(State(web): State<Web>, parts: Parts, visitor: Visitor, form: Form) -> Reply {
    let next = own_path(form.raw("next"));
    let t = visitor.texts;
    if let Err(seconds) = web.admit_attempt(&parts).await {
        let page = show_code(&visitor, StatusCode::TOO_MANY_REQUESTS, next, Some(wait_text(t, seconds)));
        return too_many_attempts(page, seconds);
    }
    let session = cookies::read(&parts.headers, cookies::SESSION).unwrap_or_default();
    let Some(email) = sign_in::pending_email(&web.app, session).await? else { return Ok(links::to("/sign-in")) };
    match app::Error::or_refusal(sign_in::code(&web.app, session, form.text("code")).await)? {
        Err(refusal) => show_code(&visitor, StatusCode::UNPROCESSABLE_ENTITY, next, Some(visitor.refusal(&refusal))),
        Ok(Outcome::Open { session, device }) => Ok(signed_in(&session, &device, next)),
        Ok(Outcome::Wait { seconds }) => {
            let unlock = accounts::can_mail(&web.app).then_some(email);
            let page = CodePage { unlock, ..code_page(&visitor, next, Some(wait_text(t, seconds))) };
            too_many_attempts(visitor.page_with(StatusCode::TOO_MANY_REQUESTS, &page), seconds)
        }
        Ok(Outcome::Wrong | Outcome::Code { .. }) => {
            show_code(&visitor, StatusCode::UNPROCESSABLE_ENTITY, next, Some(t.sign_in.code_wrong.to_owned())).map(denied)
        }
    }
}

fn show_code(visitor: &Visitor, status: StatusCode, next: &str, problem: Option<String>) -> Reply {
    visitor.page_with(status, &code_page(visitor, next, problem))
}

fn code_page(visitor: &Visitor, next: &str, problem: Option<String>) -> CodePage {
    let shell = visitor.shell(visitor.texts.sign_in.code_title, Section::None);
    CodePage { shell, next: next.to_owned(), problem, unlock: None }
}

pub async fn sign_out(State(web): State<Web>, who: SignedIn, _form: Form) -> Reply {
    sessions::sign_out(&web.app, &who.me).await?;
    Ok(signed_out(&Notice::ok(who.visitor.texts.sign_in.signed_out)))
}

/// Signs the browser out and clears what it has stored.
pub fn signed_out(notice: &Notice) -> Response {
    let mut response = links::to_with("/sign-in", notice);
    let headers = response.headers_mut();
    cookies::clear(headers, cookies::SESSION);
    headers.insert(HeaderName::from_static("clear-site-data"), HeaderValue::from_static("\"cache\", \"storage\""));
    response
}

#[derive(Template)]
#[template(path = "confirm.html")]
struct ConfirmPage {
    shell: Shell,
    email: String,
    next: String,
    needs_code: bool,
    problem: Option<String>,
}

pub async fn get_confirm(who: SignedIn, parts: Parts) -> Reply {
    show_confirm(&who, StatusCode::OK, &next_of(&parts), None)
}

pub async fn post_confirm(State(web): State<Web>, parts: Parts, who: SignedIn, form: Form) -> Reply {
    let next = own_path(form.raw("next"));
    let t = who.visitor.texts;
    let wait = |seconds| {
        too_many_attempts(show_confirm(&who, StatusCode::TOO_MANY_REQUESTS, next, Some(wait_text(t, seconds))), seconds)
    };
    if let Err(seconds) = web.admit_attempt(&parts).await {
        return wait(seconds);
    }
    match sessions::confirm(&web.app, &who.me, form.raw("password"), form.non_empty("code")).await {
        Ok(true) => {
            let mut response = links::to(next);
            let session = sessions::rotate(&web.app, &who.me).await?;
            cookies::set(response.headers_mut(), cookies::SESSION, &session, Some(30 * cookies::DAY));
            Ok(response)
        }
        Ok(false) => {
            show_confirm(&who, StatusCode::UNPROCESSABLE_ENTITY, next, Some(t.sign_in.confirm_wrong.to_owned())).map(denied)
        }
        Err(app::Error::Wait { seconds }) => wait(seconds),
        Err(error) => Err(error.into()),
    }
}

fn show_confirm(who: &SignedIn, status: StatusCode, next: &str, problem: Option<String>) -> Reply {
    let page = ConfirmPage {
        shell: who.visitor.shell(who.visitor.texts.sign_in.confirm_title, Section::None),
        email: who.me.email.clone(),
        next: next.to_owned(),
        needs_code: who.me.has_totp,
        problem,
    };
    who.visitor.page_with(status, &page)
}

fn next_of(parts: &Parts) -> String {
    let query = Query::parse(parts.uri.query()).ok();
    let next = query.as_ref().and_then(|query| query.text("next").ok().flatten());
    own_path(next.unwrap_or("/")).to_owned()
}

pub fn agent(headers: &HeaderMap) -> &str {
    headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default()
}

/// How long to wait, as a text.
fn wait_text(t: &Texts, seconds: i64) -> String {
    let seconds = seconds.unsigned_abs();
    let time = if seconds < 90 { t.sign_in.seconds(seconds) } else { t.sign_in.minutes(seconds.div_ceil(60)) };
    t.sign_in.wait(&time)
}

/// Sets `Retry-After`.
pub fn too_many_attempts(page: Reply, seconds: i64) -> Reply {
    let mut response = page?;
    response.headers_mut().insert(RETRY_AFTER, seconds.into());
    response.extensions_mut().insert(Denied::from(Reason::Limit));
    Ok(response)
}

/// A wrong password or code.
fn denied(mut response: Response) -> Response {
    response.extensions_mut().insert(Denied::from(Reason::SignIn));
    response
}

impl Web {
    /// Counts an attempt at a password or code; the seconds to wait if there were too many.
    pub(crate) async fn admit_attempt(&self, parts: &Parts) -> Result<(), i64> {
        let decision = self.shared.attempts.check(ClientKey::from(self.client(parts))).await;
        if decision.allowed { Ok(()) } else { Err(decision.reset_seconds as i64) }
    }

    fn is_insecure(&self) -> bool {
        let host = self.base_url().strip_prefix("http://");
        host.is_some_and(|host| !["127.", "localhost", "[::1]"].iter().any(|local| host.starts_with(local)))
    }
}
