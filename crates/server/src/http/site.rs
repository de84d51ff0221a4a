//! Everything around the routes: one function from a request to its response.
//!
//! Written as one future instead of a stack of layers: the order can be read from top to bottom, and a cached response
//! costs no allocation per layer.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::Method;
use axum::http::header::TRANSFER_ENCODING;
use axum::middleware::map_request;
use axum::response::{IntoResponse, Response};
use http_body_util::Limited;
use tower::Service;
use tracing::Instrument;

use super::denials::Reason;
use super::limits::concurrency::{Admission, ConcurrencyLimit};
use super::options::Options;
use super::request::facts::RequestFacts;
use super::request::head::{self, Head};
use super::request::validation;
use super::request_metrics::{self, Named, RequestMetrics};
use super::response::error::ApiError;
use super::response::finish::{as_page, finish, shaped};
use super::response::page_headers;
use super::response_cache::{CachedResponse, Finished, Found, Lasting, Outgoing};

/// The routes with everything around them. Cheap to clone.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

struct Inner {
    router: Router,
    options: Options,
    concurrency_limit: ConcurrencyLimit,
}

pub fn wrap(router: Router, options: Options) -> Site {
    let concurrency_limit = ConcurrencyLimit::of(options.concurrency_max);
    Site(Arc::new(Inner { router: router.layer(map_request(request_metrics::name)), options, concurrency_limit }))
}

impl Site {
    /// A cached response for the raw bytes of a complete, ordinary request.
    pub fn cached_response(&self, bytes: &[u8], peer: IpAddr) -> Option<CachedResponse> {
        let Options { response_cache, draining, .. } = &self.0.options;
        let response_cache = response_cache.as_ref().filter(|_| !draining.has_begun() && !request_metrics::is_logged())?;
        match response_cache.cached_response(&Head::read(bytes, &mut head::header_buffer())?, peer) {
            // At the concurrency limit the request is refused before the database look-up.
            Some(CachedResponse::PendingResponse(_)) if self.0.concurrency_limit.is_full() => None,
            // A denial that needs a log line takes the normal path, where the client is known.
            Some(CachedResponse::Answer(outgoing))
                if outgoing.denied().is_some_and(|reason| self.request_metrics().denials.is_due(reason)) =>
            {
                None
            }
            known => known,
        }
    }

    /// Running requests, and how many may run.
    pub fn busy(&self) -> (usize, usize) {
        self.0.concurrency_limit.taken()
    }

    pub fn request_metrics(&self) -> &RequestMetrics {
        &self.0.options.request_metrics
    }

    /// Counts a response that was sent without a parsed request.
    pub fn sent(&self, outgoing: &Outgoing, took: Duration) {
        self.request_metrics().answers.finished.fetch_add(1, Ordering::Relaxed);
        if let Some(route) = outgoing.route() {
            route.answered(outgoing.status(), took);
        }
        if let Some(reason) = outgoing.denied() {
            self.request_metrics().denials.count(reason);
        }
    }

    pub async fn answer(&self, mut request: Request) -> Response {
        let running = self.request_metrics().begin(&mut request, &self.0.options.trusted_proxies);
        let (span, named) = (running.span(), running.named.clone());
        let response = self.answer_named(request, named).instrument(span.clone()).await;
        span.in_scope(|| self.request_metrics().end(running, response))
    }

    async fn answer_named(&self, mut request: Request, named: Named) -> Response {
        let sound = validation::check(&request, &self.0.options).map_err(|error| error.because(Reason::Broken));
        match sound.and_then(|()| self.admit(&mut request)) {
            Ok(_place) => {
                let spent: app::TimeWaited = request.extensions_mut().remove().unwrap_or_default();
                spent.counting(self.answer_sound(request, named)).await
            }
            Err(error) => {
                let facts = RequestFacts::from_request(&request);
                // For the look-up of an error page.
                let admission = self.0.concurrency_limit.enter(&mut request);
                self.dressed(error.into_response(), facts, admission.is_some()).await
            }
        }
    }

    fn admit(&self, request: &mut Request) -> Result<Admission<'_>, ApiError> {
        match self.0.options.always_served.iter().any(|path| path == request.uri().path()) {
            true => Ok(Admission::Beside),
            false => self.0.concurrency_limit.enter(request).ok_or_else(|| ApiError::unavailable(1)),
        }
    }

    async fn answer_sound(&self, mut request: Request, named: Named) -> Response {
        let admission = match &self.0.options.response_cache {
            Some(response_cache) if request.body().is_end_stream() && !self.0.options.draining.has_begun() => {
                match response_cache.find(&mut request).await {
                    Found::Answer(response) => {
                        self.request_metrics().answers.finished.fetch_add(1, Ordering::Relaxed);
                        return response;
                    }
                    Found::Not(admission) => admission,
                }
            }
            _ => None,
        };
        let facts = RequestFacts::from_request(&request);
        let method = facts.method.clone();
        let response = shaped(self.respond(request).await, &facts);
        let admission = admission.filter(|_| response.extensions().get::<Lasting>().is_some());
        let response = self.dressed(response, facts, true).await;
        let Some(admission) = admission else { return response };
        let (finished, response) = Finished::collect(response, self.request_metrics().route_of(&method, &named)).await;
        if let Some(finished) = finished {
            admission.keep(finished);
        }
        response
    }

    /// The complete response, as clients see it.
    async fn dressed(&self, response: Response, facts: RequestFacts, admitted: bool) -> Response {
        let response = match &self.0.options.error_pages {
            Some(pages) if !facts.is_api => page_headers::on(as_page(response, &**pages, &facts, admitted).await),
            _ => page_headers::on_data(response),
        };
        finish(response, facts, self.0.options.draining.has_begun()).await
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
