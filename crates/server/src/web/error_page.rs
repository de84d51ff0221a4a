//! Error pages, in the visitor's language.

use std::pin::Pin;
use std::sync::Arc;

use app::authentication::sessions::{self, Visit};
use askama::Template;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use messages::web::Texts;

use super::page::{self, Section, Shell};
use super::refusals::error_text;
use super::visitor::Visitor;
use super::{Web, cookies, links};
use crate::http::{ApiError, Denied, ErrorPages, Failure, Reason};

type Text = fn(&'static Texts) -> &'static str;

/// Why there is no page. The message is for the visitor and does not reveal the cause.
#[derive(Debug, Clone)]
pub struct PageError {
    status: StatusCode,
    sentence: Option<Sentence>,
    denied: Option<Reason>,
    wait_seconds: Option<u64>,
}

#[derive(Debug, Clone)]
enum Sentence {
    Text(Text),
    TooManyPages { seconds: u64 },
    Error(Arc<app::Error>),
}

impl PageError {
    pub fn not_found() -> PageError {
        PageError::bare(StatusCode::NOT_FOUND)
    }

    pub fn new(status: StatusCode, text: Text) -> PageError {
        PageError { sentence: Some(Sentence::Text(text)), ..PageError::bare(status) }
    }

    /// Too many requests from one address without signing in.
    pub fn too_many_pages(seconds: u64) -> PageError {
        let sentence = Some(Sentence::TooManyPages { seconds });
        PageError { sentence, ..PageError::bare(StatusCode::TOO_MANY_REQUESTS) }.because(Reason::Limit).after(seconds)
    }

    fn bare(status: StatusCode) -> PageError {
        PageError { status, sentence: None, denied: None, wait_seconds: None }
    }

    fn explained(status: StatusCode, error: app::Error) -> PageError {
        PageError { sentence: Some(Sentence::Error(Arc::new(error))), ..PageError::bare(status) }
    }

    /// One user makes too many requests at once; it may work a few seconds later.
    fn later(text: Text) -> PageError {
        PageError::new(StatusCode::TOO_MANY_REQUESTS, text).because(Reason::Limit).after(5)
    }

    /// Why access was denied, for the log and the metrics only.
    pub fn because(self, reason: Reason) -> PageError {
        PageError { denied: Some(reason), ..self }
    }

    fn after(self, seconds: u64) -> PageError {
        PageError { wait_seconds: Some(seconds), ..self }
    }

    pub fn response(self) -> Response {
        self.into_response()
    }
}

impl From<app::Error> for PageError {
    /// Logs the cause once, before it is replaced by the public answer.
    fn from(error: app::Error) -> PageError {
        match error {
            app::Error::Refused(_) => PageError::explained(StatusCode::UNPROCESSABLE_ENTITY, error),
            app::Error::Wait { seconds } => {
                let explained = PageError::explained(StatusCode::TOO_MANY_REQUESTS, error).because(Reason::Limit);
                PageError { wait_seconds: u64::try_from(seconds).ok(), ..explained }
            }
            app::Error::UnknownPortfolio(_) => PageError::not_found(),
            app::Error::Crowded => PageError::new(StatusCode::SERVICE_UNAVAILABLE, |t| t.error_page.crowded),
            app::Error::TooManyJobs => PageError::later(|t| t.error_page.too_many_jobs),
            app::Error::TooManyUploads => PageError::later(|t| t.error_page.too_many_uploads),
            app::Error::NoSpace(_) => PageError::explained(StatusCode::INSUFFICIENT_STORAGE, error),
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

impl From<askama::Error> for PageError {
    fn from(error: askama::Error) -> PageError {
        tracing::error!(%error, "a page could not be written");
        PageError::bare(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl IntoResponse for PageError {
    /// In the API's format until [`ErrorPages`] replaces it: the reader's language is not known here.
    fn into_response(self) -> Response {
        let mut response = ApiError::of_status(self.status).into_response();
        let wait_seconds = self.wait_seconds.or((self.status == StatusCode::SERVICE_UNAVAILABLE).then_some(5));
        if let Some(seconds) = wait_seconds {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        if let Some(reason) = self.denied {
            response.extensions_mut().insert(Denied::from(reason));
        }
        response.extensions_mut().insert(self);
        response
    }
}

#[derive(Template)]
#[template(path = "error_page.html")]
struct Page {
    shell: Shell,
    status: u16,
    sentence: String,
}

impl ErrorPages for Web {
    fn render<'a>(&'a self, failure: Failure<'a>) -> Pin<Box<dyn Future<Output = Response> + Send + 'a>> {
        Box::pin(self.error_page(failure))
    }
}

impl Web {
    /// The page for an error, with the details of a [`PageError`] from the extensions.
    async fn error_page(&self, failure: Failure<'_>) -> Response {
        let status = failure.status;
        let sender = self.sender(&failure).await;
        let offers_sign_in = matches!(sender, Sender::Stranger);
        let me = match sender {
            Sender::User(me) => Some(*me),
            Sender::Stranger | Sender::Unknown => None,
        };
        let visitor = Visitor::of(failure.headers, me, links::page_of(failure.method, failure.uri));
        let t = visitor.texts;
        let sentence = match failure.extensions.get().and_then(|error: &PageError| error.sentence.as_ref()) {
            None => general(status, t).to_owned(),
            Some(Sentence::Text(text)) => text(t).to_owned(),
            Some(Sentence::TooManyPages { seconds }) => t.error_page.too_many_pages(*seconds),
            Some(Sentence::Error(error)) => error_text(t, &visitor.format, error),
        };
        // No cookie is set here: a notice waits for the next page, and a form needs a secret that the browser already has.
        let token = if visitor.has_secret() { visitor.form_token() } else { String::new() };
        let shell = Shell { offers_sign_in, notice: None, token, ..visitor.shell(title(status, t), Section::None) };
        let page = Page { shell, status: status.as_u16(), sentence };
        page::respond(status, &page, &visitor.nonce).unwrap_or_else(|_| status.into_response())
    }

    /// After an outage or a fault the database is not asked again.
    async fn sender(&self, failure: &Failure<'_>) -> Sender {
        let Some(secret) = cookies::read(failure.headers, cookies::SESSION) else { return Sender::Stranger };
        let is_fault = failure.status.is_server_error() && failure.status != StatusCode::INSUFFICIENT_STORAGE;
        if is_fault || !failure.admitted {
            return Sender::Unknown;
        }
        match sessions::visit(&self.app, secret).await {
            Ok(Some(me)) => Sender::User(Box::new(me)),
            Ok(None) => Sender::Stranger,
            Err(_) => Sender::Unknown,
        }
    }
}

/// Who gets an error page.
enum Sender {
    User(Box<Visit>),
    Stranger,
    /// There is a session cookie, but it was not looked up.
    Unknown,
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
