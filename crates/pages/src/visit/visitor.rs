//! Who views a page, and with which preferences.

use app::authentication::sessions::{self, Visit};
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use axum::http::request::Parts;
use axum::response::Response;
use messages::web::Texts;
use uuid::Uuid;

use crate::Web;
use crate::format::Format;
use crate::visit::{Notice, PageError, cookies, form_token, links};

/// The same time for which a confirmed password is valid.
const SINGLE_USE_LIVES: i64 = 10 * 60 * 1_000_000;

/// Anybody. Needs one database look-up with a session cookie, none without. Visitors who are not signed in are counted.
pub struct Visitor {
    /// `None` if not signed in.
    pub me: Option<Visit>,
    pub texts: &'static Texts,
    pub format: Format,
    pub theme: Option<&'static str>,
    /// Whether single-key shortcuts are on.
    pub shortcuts: bool,
    pub notice: Option<Notice>,
    pub nonce: String,
    /// The current page, or the page the form was on.
    pub address: String,
    /// The secret forms are bound to; `new` if the browser does not have it yet.
    secret: String,
    secret_is_new: bool,
}

impl Visitor {
    pub async fn load(web: &Web, parts: &Parts) -> Result<Visitor, PageError> {
        let headers = &parts.headers;
        let session = cookies::read(headers, cookies::SESSION);
        let me = match session {
            Some(secret) => sessions::visit(&web.app, secret).await?,
            None => None,
        };
        if me.is_none() {
            web.admit_stranger(parts).await?;
        }
        Ok(Visitor::of(headers, me, links::page_of(&parts.method, &parts.uri)))
    }

    /// `address` is the current page.
    pub fn of(headers: &HeaderMap, me: Option<Visit>, address: &str) -> Visitor {
        let languages = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let texts = messages::web::texts(languages);
        let chosen = me.as_ref().and_then(|me| me.number_format.as_deref());
        let known = form_secret(headers).map(str::to_owned);
        Visitor {
            format: Format::of(chosen, languages, texts.shell.months_short),
            texts,
            theme: cookies::read(headers, cookies::THEME).and_then(theme),
            shortcuts: cookies::read(headers, cookies::SHORTCUTS) != Some(cookies::OFF),
            notice: cookies::read(headers, cookies::NOTICE).and_then(Notice::read),
            nonce: crate::random_hex::<16>(),
            address: address.to_owned(),
            secret_is_new: known.is_none(),
            secret: known.unwrap_or_else(crate::random_hex::<32>),
            me,
        }
    }

    /// Whether the browser already has the secret that forms are bound to.
    pub fn has_secret(&self) -> bool {
        !self.secret_is_new
    }

    /// For the hidden field of a form.
    pub fn form_token(&self) -> String {
        form_token::make(&self.secret)
    }

    /// For the hidden field of a form that can be sent once, for this purpose.
    pub fn single_use_token(&self, purpose: &str, now: i64) -> String {
        form_token::make_once(&self.secret, purpose, now + SINGLE_USE_LIVES)
    }

    /// When the token expires; `None` if it has expired or belongs to another session or purpose.
    pub fn single_use_expiry(&self, token: &str, purpose: &str, now: i64) -> Option<i64> {
        form_token::verify_once(token, &self.secret, purpose, now)
    }

    /// The session has a new secret; forms of this page are bound to it.
    pub fn set_session(&mut self, session: &str) {
        session.clone_into(&mut self.secret);
    }

    /// Redirects to the sign-in page, or on a first start to the page that creates the first account. With `come_back`, the
    /// visitor then returns to this page.
    pub async fn to_sign_in(&self, web: &Web, come_back: bool) -> Response {
        match app::accounts::is_first_start(&web.app).await {
            Ok(true) => return links::to("/welcome"),
            Ok(false) => {}
            Err(error) => return PageError::from(error).response(),
        }
        match come_back && self.address != "/" {
            true => links::to(&format!("/sign-in?next={}", links::escaped(&self.address))),
            false => links::to("/sign-in"),
        }
    }

    /// Redirects to the page that asks for the password again, and back.
    pub fn to_confirm(&self) -> Response {
        links::to_confirm_for(&self.address)
    }

    /// Sets the page's cookies: clears the notice once it is shown, and adds a secret for forms.
    pub fn set_cookies(&self, response: &mut Response) {
        let headers = response.headers_mut();
        if self.notice.is_some() {
            cookies::clear(headers, cookies::NOTICE);
        }
        if self.secret_is_new {
            cookies::set(headers, cookies::FORM, &self.secret, None);
        }
    }
}

/// The secret of the session, else of the form cookie. Signing in or out therefore invalidates earlier forms.
pub fn form_secret(headers: &HeaderMap) -> Option<&str> {
    cookies::read(headers, cookies::SESSION).or_else(|| cookies::read(headers, cookies::FORM)).filter(|secret| secret.len() >= 32)
}

pub fn theme(word: &str) -> Option<&'static str> {
    ["light", "dark"].into_iter().find(|known| *known == word)
}

impl FromRequestParts<Web> for Visitor {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Visitor, PageError> {
        Visitor::load(web, parts).await
    }
}

/// A signed-in user. Others are sent to sign in and then return.
pub struct SignedIn {
    pub me: Visit,
    pub visitor: Visitor,
}

impl SignedIn {
    pub fn user_id(&self) -> Uuid {
        self.me.user_id
    }
}

impl FromRequestParts<Web> for SignedIn {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<SignedIn, Response> {
        let visitor = Visitor::load(web, parts).await.map_err(PageError::response)?;
        match visitor.me.clone() {
            Some(me) => Ok(SignedIn { me, visitor }),
            None => Err(visitor.to_sign_in(web, parts.method.is_safe()).await),
        }
    }
}

/// A user who confirmed the password recently. Others are asked for it and then return.
pub struct Confirmed(pub SignedIn);

impl FromRequestParts<Web> for Confirmed {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Confirmed, Response> {
        let signed_in = SignedIn::from_request_parts(parts, web).await?;
        match sessions::is_recent(&signed_in.me, web.app.clock.now_micros()) {
            true => Ok(Confirmed(signed_in)),
            false => Err(signed_in.visitor.to_confirm()),
        }
    }
}
