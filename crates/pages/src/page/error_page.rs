//! Error pages, in the visitor's language.

use std::pin::Pin;

use app::authentication::sessions::{self, Visit};
use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use messages::web::Texts;
use serving::{ErrorPages, Failure};

use crate::Web;
use crate::page::refusals::error_text;
use crate::page::{self, Section, Shell};
use crate::visit::{PageError, Visitor, cookies, links, page_error::Sentence};

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
