//! Why there is no page.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use messages::web::Texts;
use serving::{ApiError, Denied, Reason};

type Text = fn(&'static Texts) -> &'static str;

/// The message is for the visitor and does not reveal the cause.
#[derive(Debug, Clone)]
pub struct PageError {
    status: StatusCode,
    pub sentence: Option<Sentence>,
    denied: Option<Reason>,
    wait_seconds: Option<u64>,
}

#[derive(Debug, Clone)]
pub enum Sentence {
    Text(Text),
    TooManyPages { seconds: u64 },
    Error(Arc<app::Error>),
}

impl PageError {
    pub fn not_found() -> PageError {
        PageError::bare(StatusCode::NOT_FOUND)
    }

    /// A refusal as not found: it concerns something that may belong to another user.
    pub fn concealed(error: app::Error) -> PageError {
        if let app::Error::Refused(_) = error { PageError::not_found() } else { error.into() }
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
            app::Error::UnknownPortfolio { .. } => PageError::not_found(),
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
    /// In the API's format until `error_page` replaces it: the reader's language is not known here.
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
