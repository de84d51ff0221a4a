//! The page layout, and how a page becomes a response.

pub mod assets;
pub mod error_page;
pub mod refusals;

use std::fs::File;

use askama::Template;
use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use messages::web::Texts;
use tokio_util::io::ReaderStream;

use crate::format::Format;
use crate::visit::{Notice, PageError, Visitor};

/// The navigation section a page belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    None,
    Income,
    Upcoming,
    Dividends,
    Holdings,
    Radar,
    Ledger,
    Import,
    Portfolios,
    Calendar,
    Developers,
    Settings,
}

/// What the layout needs; every page has it as `shell`.
pub struct Shell {
    pub t: &'static Texts,
    pub format: Format,
    pub title: String,
    pub section: Section,
    /// The user's name in the account menu; `None` if not signed in.
    pub who: Option<String>,
    /// Whether the visitor owns the service.
    pub owner: bool,
    pub offers_sign_in: bool,
    pub theme: Option<&'static str>,
    pub shortcuts: bool,
    pub notice: Option<Notice>,
    pub nonce: String,
    pub token: String,
    /// For forms that return to this page.
    pub address: String,
    pub style: &'static str,
    pub script: &'static str,
    pub icon: &'static str,
}

impl Shell {
    pub fn is(&self, section: &str) -> bool {
        format!("{:?}", self.section).eq_ignore_ascii_case(section)
    }
}

impl Visitor {
    pub fn shell(&self, title: &str, section: Section) -> Shell {
        Shell {
            t: self.texts,
            format: self.format,
            title: title.to_owned(),
            section,
            who: self.me.as_ref().map(|me| me.name.clone().unwrap_or_else(|| me.email.clone())),
            owner: self.me.as_ref().is_some_and(|me| me.owner),
            offers_sign_in: self.me.is_none(),
            theme: self.theme,
            shortcuts: self.shortcuts,
            notice: self.notice.clone(),
            nonce: self.nonce.clone(),
            token: self.form_token(),
            address: self.address.clone(),
            style: &assets::STYLE.path,
            script: &assets::SCRIPT.path,
            icon: &assets::ICON.path,
        }
    }

    /// Renders the page.
    pub fn page(&self, template: &impl Template) -> Result<Response, PageError> {
        self.page_with(StatusCode::OK, template)
    }

    /// A page whose form redirects to `target`: browsers only follow if the content security policy allows it.
    pub fn page_leading_to(&self, template: &impl Template, target: &str) -> Result<Response, PageError> {
        let mut response = self.page(template)?;
        if let Ok(policy) = HeaderValue::try_from(format!("{} {target}", policy(&self.nonce))) {
            response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
        }
        Ok(response)
    }

    /// With another status: 422 for a form with errors.
    pub fn page_with(&self, status: StatusCode, template: &impl Template) -> Result<Response, PageError> {
        let mut response = respond(status, template, &self.nonce)?;
        self.set_cookies(&mut response);
        Ok(response)
    }
}

pub fn respond(status: StatusCode, template: &impl Template, nonce: &str) -> Result<Response, PageError> {
    let mut response = (status, template.render()?).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(policy) = HeaderValue::try_from(policy(nonce)) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}

/// A file to save, sent in pieces. `name` is the parameter of `Content-Disposition`.
pub fn download(file: File, bytes: u64, kind: &'static str, name: &str) -> Response {
    const PIECE: usize = 64 << 10;
    let disposition = HeaderValue::try_from(format!("attachment; {name}")).unwrap_or(HeaderValue::from_static("attachment"));
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CONTENT_DISPOSITION, disposition),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (CONTENT_LENGTH, bytes.into()),
    ];
    (headers, Body::from_stream(ReaderStream::with_capacity(tokio::fs::File::from_std(file), PIECE))).into_response()
}

/// `form-action` comes last, so that targets can be appended.
fn policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; object-src 'none'; frame-ancestors 'none'; form-action 'self'"
    )
}
