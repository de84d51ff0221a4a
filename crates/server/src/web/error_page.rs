//! Pages that say what went wrong.

use std::borrow::Cow;

use askama::Template;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use messages::web::Texts;

use super::page::{self, Shell};
use crate::http::{Denied, Reason};

/// Why there is no page. The sentence is for the visitor and holds no cause.
#[derive(Debug)]
pub struct PageError {
    status: StatusCode,
    sentence: Option<Cow<'static, str>>,
    denied: Option<Reason>,
    wait_seconds: Option<u64>,
}

impl PageError {
    pub fn not_found() -> PageError {
        PageError::bare(StatusCode::NOT_FOUND)
    }

    pub fn new(status: StatusCode, sentence: impl Into<Cow<'static, str>>) -> PageError {
        PageError { sentence: Some(sentence.into()), ..PageError::bare(status) }
    }

    /// Of one address, by people who are not signed in.
    pub fn too_many_pages(wait_seconds: u64) -> PageError {
        let sentence = messages::web::texts("").error_page.too_many_pages(wait_seconds);
        let error = PageError::new(StatusCode::TOO_MANY_REQUESTS, sentence).because(Reason::Limit);
        PageError { wait_seconds: Some(wait_seconds), ..error }
    }

    fn bare(status: StatusCode) -> PageError {
        PageError { status, sentence: None, denied: None, wait_seconds: None }
    }

    /// One user asks for too much at once; a few seconds later it may go.
    fn later(sentence: &'static str) -> PageError {
        let error = PageError::new(StatusCode::TOO_MANY_REQUESTS, sentence).because(Reason::Limit);
        PageError { wait_seconds: Some(5), ..error }
    }

    /// Why nobody was let in, for the log and the metrics alone.
    pub fn because(self, reason: Reason) -> PageError {
        PageError { denied: Some(reason), ..self }
    }

    pub fn response(self) -> Response {
        self.into_response()
    }
}

impl From<app::Error> for PageError {
    /// Logged once, here, where the cause ends and the public answer begins.
    fn from(error: app::Error) -> PageError {
        match error {
            app::Error::Refused(_) => PageError::new(StatusCode::UNPROCESSABLE_ENTITY, error_text(&error)),
            app::Error::Wait { seconds } => {
                let error = PageError::new(StatusCode::TOO_MANY_REQUESTS, error_text(&error)).because(Reason::Limit);
                PageError { wait_seconds: u64::try_from(seconds).ok(), ..error }
            }
            app::Error::UnknownPortfolio(_) => PageError::not_found(),
            app::Error::Crowded => PageError::new(StatusCode::SERVICE_UNAVAILABLE, messages::web::texts("").error_page.crowded),
            app::Error::TooManyJobs => PageError::later(messages::web::texts("").error_page.too_many_jobs),
            app::Error::TooManyUploads => PageError::later(messages::web::texts("").error_page.too_many_uploads),
            app::Error::NoSpace(_) => PageError::new(StatusCode::INSUFFICIENT_STORAGE, error_text(&error)),
            app::Error::Busy => PageError::bare(StatusCode::SERVICE_UNAVAILABLE),
            outage if outage.is_outage() => {
                tracing::error!(error = %outage, "the database is not available");
                PageError::bare(StatusCode::SERVICE_UNAVAILABLE)
            }
            other => {
                tracing::error!(error = %other, "a page could not be made");
                PageError::bare(StatusCode::INTERNAL_SERVER_ERROR)
            }
        }
    }
}

/// In English: who reads it is not known here.
fn error_text(error: &app::Error) -> String {
    messages::errors::text(messages::by_preference(""), &messages::Plain, error)
}

impl From<askama::Error> for PageError {
    fn from(error: askama::Error) -> PageError {
        tracing::error!(%error, "a page could not be written");
        PageError::bare(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let mut response = written(self.status, self.sentence.as_deref());
        let wait_seconds = self.wait_seconds.or((self.status == StatusCode::SERVICE_UNAVAILABLE).then_some(5));
        if let Some(seconds) = wait_seconds {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        if let Some(reason) = self.denied {
            response.extensions_mut().insert(Denied::from(reason));
        }
        response
    }
}

/// The page for a bare status.
pub fn page(status: StatusCode) -> Response {
    written(status, None)
}

#[derive(Template)]
#[template(path = "error_page.html")]
struct Page<'a> {
    shell: Shell,
    status: u16,
    sentence: &'a str,
}

fn written(status: StatusCode, sentence: Option<&str>) -> Response {
    let texts = messages::web::texts("");
    let shell = Shell::of_nobody(texts, title(status, texts));
    let page = Page { status: status.as_u16(), sentence: sentence.unwrap_or_else(|| general(status, texts)), shell };
    page::respond(status, &page, &page.shell.nonce).unwrap_or_else(|_| status.into_response())
}

fn title(status: StatusCode, t: &'static Texts) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => t.error_page.not_found_title,
        StatusCode::FORBIDDEN => t.error_page.forbidden_title,
        StatusCode::TOO_MANY_REQUESTS => t.error_page.too_many_title,
        StatusCode::SERVICE_UNAVAILABLE => t.error_page.unavailable_title,
        StatusCode::INSUFFICIENT_STORAGE => t.error_page.full_title,
        _ if status.is_server_error() => t.error_page.internal_title,
        _ => t.error_page.refused_title,
    }
}

fn general(status: StatusCode, t: &'static Texts) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => t.error_page.not_found,
        StatusCode::FORBIDDEN => t.shell.form_expired,
        StatusCode::METHOD_NOT_ALLOWED => t.error_page.method,
        StatusCode::PAYLOAD_TOO_LARGE => t.error_page.too_large,
        StatusCode::TOO_MANY_REQUESTS => t.error_page.too_many,
        StatusCode::SERVICE_UNAVAILABLE => t.error_page.unavailable,
        _ if status.is_server_error() => t.error_page.internal,
        _ => t.error_page.refused,
    }
}
