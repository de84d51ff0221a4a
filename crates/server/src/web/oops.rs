//! Pages that say what went wrong.

use std::borrow::Cow;

use askama::Template;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};

use super::page::{self, Shell};
use super::text::{self, Texts, fill};
use crate::http::{Denied, Reason};

/// Why there is no page. The sentence is for the visitor and holds no cause.
#[derive(Debug)]
pub struct Oops {
    status: StatusCode,
    sentence: Option<Cow<'static, str>>,
    denied: Option<Reason>,
    wait_seconds: Option<u64>,
}

impl Oops {
    pub fn not_found() -> Oops {
        Oops::bare(StatusCode::NOT_FOUND)
    }

    pub fn of(status: StatusCode, sentence: impl Into<Cow<'static, str>>) -> Oops {
        Oops { sentence: Some(sentence.into()), ..Oops::bare(status) }
    }

    /// Of one address, by people who are not signed in.
    pub fn too_many_pages(wait_seconds: u64) -> Oops {
        let sentence = fill(text::of("").oops.too_many_pages, &[("seconds", &wait_seconds.to_string())]);
        let oops = Oops::of(StatusCode::TOO_MANY_REQUESTS, sentence).because(Reason::Limit);
        Oops { wait_seconds: Some(wait_seconds), ..oops }
    }

    fn bare(status: StatusCode) -> Oops {
        Oops { status, sentence: None, denied: None, wait_seconds: None }
    }

    /// One user asks for too much at once; a few seconds later it may go.
    fn later(sentence: &'static str) -> Oops {
        let oops = Oops::of(StatusCode::TOO_MANY_REQUESTS, sentence).because(Reason::Limit);
        Oops { wait_seconds: Some(5), ..oops }
    }

    /// Why nobody was let in, for the log and the metrics alone.
    pub fn because(self, reason: Reason) -> Oops {
        Oops { denied: Some(reason), ..self }
    }

    pub fn response(self) -> Response {
        self.into_response()
    }
}

impl From<app::Error> for Oops {
    /// Logged once, here, where the cause ends and the public answer begins.
    fn from(error: app::Error) -> Oops {
        match error {
            app::Error::Refused(_) => Oops::of(StatusCode::UNPROCESSABLE_ENTITY, in_words(&error)),
            app::Error::Wait { seconds } => {
                let oops = Oops::of(StatusCode::TOO_MANY_REQUESTS, in_words(&error)).because(Reason::Limit);
                Oops { wait_seconds: u64::try_from(seconds).ok(), ..oops }
            }
            app::Error::UnknownPortfolio(_) => Oops::not_found(),
            app::Error::Crowded => Oops::of(StatusCode::SERVICE_UNAVAILABLE, text::of("").oops.crowded),
            app::Error::TooManyJobs => Oops::later(text::of("").oops.too_many_jobs),
            app::Error::TooManyUploads => Oops::later(text::of("").oops.too_many_uploads),
            app::Error::NoSpace(_) => Oops::of(StatusCode::INSUFFICIENT_STORAGE, in_words(&error)),
            app::Error::Busy => Oops::bare(StatusCode::SERVICE_UNAVAILABLE),
            outage if outage.is_outage() => {
                tracing::error!(error = %outage, "the database is not available");
                Oops::bare(StatusCode::SERVICE_UNAVAILABLE)
            }
            other => {
                tracing::error!(error = %other, "a page could not be made");
                Oops::bare(StatusCode::INTERNAL_SERVER_ERROR)
            }
        }
    }
}

/// Who reads it is not known here.
fn in_words(error: &app::Error) -> String {
    messages::errors::text(messages::by_preference(""), &messages::Plain, error)
}

impl From<askama::Error> for Oops {
    fn from(error: askama::Error) -> Oops {
        tracing::error!(%error, "a page could not be written");
        Oops::bare(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl IntoResponse for Oops {
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
#[template(path = "oops.html")]
struct Page<'a> {
    shell: Shell,
    status: u16,
    sentence: &'a str,
}

fn written(status: StatusCode, sentence: Option<&str>) -> Response {
    let texts = text::of("");
    let shell = Shell::of_nobody(texts, title(status, texts));
    let page = Page { status: status.as_u16(), sentence: sentence.unwrap_or_else(|| general(status, texts)), shell };
    page::respond(status, &page, &page.shell.nonce).unwrap_or_else(|_| status.into_response())
}

fn title(status: StatusCode, t: &'static Texts) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => t.oops.not_found_title,
        StatusCode::FORBIDDEN => t.oops.forbidden_title,
        StatusCode::TOO_MANY_REQUESTS => t.oops.too_many_title,
        StatusCode::SERVICE_UNAVAILABLE => t.oops.unavailable_title,
        StatusCode::INSUFFICIENT_STORAGE => t.oops.full_title,
        _ if status.is_server_error() => t.oops.internal_title,
        _ => t.oops.refused_title,
    }
}

fn general(status: StatusCode, t: &'static Texts) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => t.oops.not_found,
        StatusCode::FORBIDDEN => t.shell.form_expired,
        StatusCode::METHOD_NOT_ALLOWED => t.oops.method,
        StatusCode::PAYLOAD_TOO_LARGE => t.oops.too_large,
        StatusCode::TOO_MANY_REQUESTS => t.oops.too_many,
        StatusCode::SERVICE_UNAVAILABLE => t.oops.unavailable,
        _ if status.is_server_error() => t.oops.internal,
        _ => t.oops.refused,
    }
}
