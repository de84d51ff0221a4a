//! Everything around the routes: one function from a request to its response.
//!
//! Written as one future instead of a stack of layers: the order can be read from top to bottom, and a cached response
//! costs no allocation per layer.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::Method;
use axum::http::header::TRANSFER_ENCODING;
use axum::middleware::map_request;
use axum::response::{IntoResponse, Response};
use http_body_util::Limited;
use tower::Service;
use tracing::Instrument;

use super::denials::Reason;
use super::fast_lane::FastLane;
use super::limits::concurrency::{Admission, ConcurrencyLimit};
use super::options::Options;
use super::request::facts::RequestFacts;
use super::request::validation;
use super::request_metrics::{self, RequestMetrics};
use super::response::error::ApiError;
use super::response::finish::{as_page, finish, shaped};
use super::response::page_headers;

/// The routes with everything around them. Cheap to clone.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

struct Inner {
    router: Router,
    options: Options,
    concurrency_limit: ConcurrencyLimit,
    fast_lane: Option<FastLane>,
}

pub fn wrap(router: Router, options: Options) -> Site {
    let concurrency_limit = ConcurrencyLimit::of(options.concurrency_max);
    let fast_lane = FastLane::new(&options, concurrency_limit.clone());
    let router = router.layer(map_request(request_metrics::name));
    Site(Arc::new(Inner { router, options, concurrency_limit, fast_lane }))
}

impl Site {
    /// Running requests, and how many may run.
    pub fn busy(&self) -> (usize, usize) {
        self.0.concurrency_limit.taken()
    }

    pub fn request_metrics(&self) -> &Arc<RequestMetrics> {
        &self.0.options.request_metrics
    }

    /// None if there is no front end whose responses it may send.
    pub fn fast_lane(&self) -> Option<FastLane> {
        self.0.fast_lane.clone()
    }

    pub async fn answer(&self, mut request: Request) -> Response {
        let running = self.request_metrics().begin(&mut request, &self.0.options.trusted_proxies);
        let entry = self.0.fast_lane.as_ref().and_then(|lane| lane.entry(&request));
        let span = running.span();
        let spent: app::TimeWaited = request.extensions_mut().remove().unwrap_or_default();
        let response = spent.counting(self.dressed(request)).instrument(span.clone()).await;
        let response = span.in_scope(|| self.request_metrics().end(running, response));
        match entry {
            Some(entry) => entry.store(response).await,
            None => response,
        }
    }

    /// The complete response, as clients see it.
    async fn dressed(&self, mut request: Request) -> Response {
        let facts = RequestFacts::from_request(&request);
        let sound = validation::check(&request, &self.0.options).map_err(|error| error.because(Reason::Broken));
        let (response, admission) = match sound.and_then(|()| self.admit(&mut request)) {
            Ok(admission) => (shaped(self.respond(request).await, &facts), Some(admission)),
            // For the look-up of an error page.
            Err(error) => (error.into_response(), self.0.concurrency_limit.enter(&mut request)),
        };
        let response = match &self.0.options.error_pages {
            Some(pages) if !facts.is_api => page_headers::on(as_page(response, &**pages, &facts, admission.is_some()).await),
            _ => page_headers::on_data(response),
        };
        finish(response, facts, self.0.options.draining.has_begun()).await
    }

    fn admit(&self, request: &mut Request) -> Result<Admission<'_>, ApiError> {
        match self.0.options.always_served.iter().any(|path| path == request.uri().path()) {
            true => Ok(Admission::Beside),
            false => self.0.concurrency_limit.enter(request).ok_or_else(|| ApiError::unavailable(1)),
        }
    }

    async fn respond(&self, request: Request) -> Response {
        if self.0.concurrency_limit.is_shared() {
            // Waiting requests are admitted or refused first.
            tokio::task::yield_now().await;
        }
        let time_limit = self.0.options.time_limit(request.uri().path());
        match tokio::time::timeout(time_limit, self.route(request)).await {
            Ok(response) => response,
            Err(_) => ApiError::unavailable(1).into_response(),
        }
    }

    async fn route(&self, mut request: Request) -> Response {
        if request.method() == Method::HEAD {
            // Answered like GET, so that all headers are the same. The body is dropped at the end.
            *request.method_mut() = Method::GET;
        }
        if request.headers().contains_key(TRANSFER_ENCODING) {
            let bytes_max = self.0.options.body_bytes_max(request.uri().path());
            let bytes_max = usize::try_from(bytes_max).unwrap_or(usize::MAX);
            request = request.map(|body| Body::new(Limited::new(body, bytes_max)));
        }
        let mut router = self.0.router.clone();
        let answer = caught(async move { router.call(request).await }).await;
        match answer {
            Some(Ok(response)) => response,
            None => ApiError::internal().into_response(),
        }
    }
}

/// `None` if the handler panicked; the process continues.
async fn caught<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    std::future::poll_fn(move |context| match std::panic::catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
        Ok(poll) => poll.map(Some),
        Err(_) => {
            tracing::error!("a request handler panicked; the request was answered with 500");
            Poll::Ready(None)
        }
    })
    .await
}
