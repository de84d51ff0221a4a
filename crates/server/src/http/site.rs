//! Everything around the routes: one function from a request to its response.
//!
//! Written as one future instead of a stack of layers: the order can be read from top to bottom, and a cached response
//! costs no allocation per layer.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, ALLOW, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH, RETRY_AFTER, TRANSFER_ENCODING,
};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::map_request;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, Limited};
use ipnet::IpNet;
use tower::Service;
use tracing::Instrument;

use super::concurrency_limit::{Admission, ConcurrencyLimit};
use super::denials::{Denied, Reason};
use super::draining::Draining;
use super::error::{ApiError, JSON};
use super::head::Head;
use super::outgoing::Outgoing;
use super::request_metrics::{Named, RequestMetrics};
use super::response_cache::{CachedResponse, Finished, Found, Lasting, ResponseCache, unchanged};
use super::{compression, cors, etag, head, page_headers, request_metrics, request_validation};

/// Renders errors as pages.
pub trait ErrorPages: Send + Sync {
    fn render<'a>(&'a self, failure: Failure<'a>) -> Pin<Box<dyn Future<Output = Response> + Send + 'a>>;
}

/// A request that failed, and with what.
pub struct Failure<'a> {
    pub status: StatusCode,
    /// Of the response.
    pub extensions: &'a Extensions,
    pub method: &'a Method,
    pub uri: &'a Uri,
    /// Of the request.
    pub headers: &'a HeaderMap,
    /// Whether it is within the concurrency limit; if not, it must cost no database look-up.
    pub admitted: bool,
}

#[derive(Clone)]
pub struct Options {
    /// Maximum length of path and query.
    pub uri_bytes_max: usize,
    pub header_bytes_max: usize,
    pub headers_max: usize,
    pub body_bytes_max: u64,
    pub time_limit: Duration,
    /// Requests that may run at once; one more is refused before anything is looked up.
    pub concurrency_max: usize,
    /// Paths answered even when the concurrency limit is reached, such as a health check.
    pub always_served: Vec<String>,
    /// Paths that accept files.
    pub uploads: Vec<Upload>,
    /// Renders an error outside /api/; none if there are no pages.
    pub error_pages: Option<Arc<dyn ErrorPages>>,
    pub draining: Draining,
    /// The response cache.
    pub response_cache: Option<Arc<dyn ResponseCache>>,
    /// Proxies that may name the client and the request.
    pub trusted_proxies: Vec<IpNet>,
    /// Counts requests.
    pub request_metrics: Arc<RequestMetrics>,
}

/// Limits of a path that accepts files.
#[derive(Debug, Clone)]
pub struct Upload {
    pub path: &'static str,
    pub bytes_max: u64,
    pub time_limit: Duration,
}

impl Options {
    pub(super) fn body_bytes_max(&self, path: &str) -> u64 {
        self.upload(path).map_or(self.body_bytes_max, |upload| upload.bytes_max)
    }

    fn time_limit(&self, path: &str) -> Duration {
        self.upload(path).map_or(self.time_limit, |upload| upload.time_limit)
    }

    fn upload(&self, path: &str) -> Option<&Upload> {
        self.uploads.iter().find(|upload| upload.path == path)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            uri_bytes_max: 8 << 10,
            header_bytes_max: 16 << 10,
            headers_max: 100,
            body_bytes_max: 64 << 10,
            time_limit: Duration::from_secs(30),
            concurrency_max: concurrency(),
            always_served: Vec::new(),
            uploads: Vec::new(),
            error_pages: None,
            draining: Draining::default(),
            response_cache: None,
            trusted_proxies: Vec::new(),
            request_metrics: Arc::default(),
        }
    }
}

/// Each core works on one request at a time, and some wait for the database; more would only queue.
pub fn concurrency() -> usize {
    64 * std::thread::available_parallelism().map_or(1, usize::from)
}

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
        let sound = request_validation::check(&request, &self.0.options).map_err(|error| error.because(Reason::Broken));
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

/// What the end of the response needs to know about the request.
struct RequestFacts {
    method: Method,
    uri: Uri,
    /// Only for pages.
    headers: HeaderMap,
    is_api: bool,
    cors: bool,
    path_for_options: Option<String>,
    if_none_match: Vec<HeaderValue>,
    accept_encoding: Vec<HeaderValue>,
    /// Its end may be ambiguous, so no other request may follow on the connection.
    chunked: bool,
}

impl RequestFacts {
    fn from_request(request: &Request) -> Self {
        let path = request.uri().path();
        let is_api = is_api(path);
        let all = |name: HeaderName| request.headers().get_all(name).iter().cloned().collect();
        Self {
            method: request.method().clone(),
            uri: request.uri().clone(),
            headers: if is_api { HeaderMap::new() } else { request.headers().clone() },
            is_api,
            cors: cors::applies(path),
            path_for_options: (request.method() == Method::OPTIONS).then(|| path.to_owned()),
            if_none_match: all(IF_NONE_MATCH),
            accept_encoding: all(ACCEPT_ENCODING),
            chunked: request.headers().contains_key(TRANSFER_ENCODING),
        }
    }

    fn is_read(&self) -> bool {
        self.method == Method::GET || self.method == Method::HEAD
    }
}

/// Whether the client is a program: it gets JSON even if the path is wrong.
pub(super) fn is_api(path: &str) -> bool {
    let mut segments = path.trim_start_matches('/').split('/');
    match segments.next().unwrap_or_default().to_ascii_lowercase().as_str() {
        "api" | "mcp" | "healthz" | "readyz" => true,
        // Password managers send people there.
        ".well-known" => segments.next() != Some("change-password"),
        // These two are pages for people.
        "oauth" => !matches!(segments.next(), Some("authorize" | "consent")),
        _ => false,
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

/// Gives the router's bare refusals, and any non-JSON error under /api/, the common error format.
fn shaped(response: Response, facts: &RequestFacts) -> Response {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let kind = response.headers().get(CONTENT_TYPE);
    // The framework's own refusals are plain text.
    let is = |meant: &[u8]| kind.is_some_and(|kind| kind.as_bytes().starts_with(meant));
    let as_meant = if facts.is_api { is(b"application/json") } else { kind.is_some() && !is(b"text/plain") };
    if as_meant {
        return response;
    }
    if status != StatusCode::METHOD_NOT_ALLOWED {
        return ApiError::of_status(status).into_response();
    }
    let allow = allowed(response.headers());
    match &facts.path_for_options {
        Some(path) => cors::options(allow, path),
        None => ApiError::method_not_allowed(allow).into_response(),
    }
}

/// Replaces an API error with a page for people, but keeps its headers.
async fn as_page(response: Response, pages: &dyn ErrorPages, facts: &RequestFacts, admitted: bool) -> Response {
    let is_json = response.headers().get(CONTENT_TYPE).is_none_or(|kind| *kind == JSON);
    if !response.status().is_client_error() && !response.status().is_server_error() || !is_json {
        return response;
    }
    let (parts, _) = response.into_parts();
    let failure = Failure {
        status: parts.status,
        extensions: &parts.extensions,
        method: &facts.method,
        uri: &facts.uri,
        headers: &facts.headers,
        admitted,
    };
    let mut answer = pages.render(failure).await;
    if let Some(denied) = parts.extensions.get::<Denied>() {
        answer.extensions_mut().insert(*denied);
    }
    for name in [ALLOW, CONNECTION, RETRY_AFTER] {
        if let Some(value) = parts.headers.get(&name) {
            answer.headers_mut().insert(name, value.clone());
        }
    }
    answer
}

/// The router's list of methods, and OPTIONS, which we handle.
fn allowed(headers: &HeaderMap) -> HeaderValue {
    let methods = headers.get(ALLOW).and_then(|value| value.to_str().ok()).unwrap_or("GET,HEAD");
    let methods: Vec<&str> = methods.split(',').map(str::trim).chain(["OPTIONS"]).collect();
    HeaderValue::try_from(methods.join(", ")).unwrap_or(HeaderValue::from_static("GET, HEAD, OPTIONS"))
}

async fn finish(response: Response, facts: RequestFacts, draining: bool) -> Response {
    let (mut parts, body) = response.into_parts();
    if facts.cors {
        cors::open(&mut parts.headers);
    }
    if facts.chunked || draining {
        parts.headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    let Some(bytes) = body.size_hint().exact() else {
        // A stream has no ETag.
        return Response::from_parts(parts, if facts.method == Method::HEAD { Body::empty() } else { body });
    };
    let Some((tag, body)) = tagged(&mut parts.headers, body).await else { return ApiError::internal().into_response() };
    if parts.status == StatusCode::OK {
        compression::vary(&mut parts.headers);
        if facts.is_read() && etag::names(facts.if_none_match.iter().map(HeaderValue::as_bytes), &tag) {
            return not_modified(parts.headers);
        }
    }
    let (response, bytes) = compression::encode(Response::from_parts(parts, body), bytes, facts.accept_encoding).await;
    sized(response, bytes, facts.method == Method::HEAD)
}

/// The handler's ETag, or else that of the body. `None` if the body breaks off.
async fn tagged(headers: &mut HeaderMap, body: Body) -> Option<(HeaderValue, Body)> {
    if let Some(tag) = headers.get(ETAG) {
        return Some((tag.clone(), body));
    }
    let bytes = body.collect().await.ok()?.to_bytes();
    let tag = etag::tag(&bytes);
    headers.insert(ETAG, tag.clone());
    Some((tag, Body::from(bytes)))
}

fn not_modified(headers: HeaderMap) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    *response.headers_mut() = unchanged(headers);
    response
}

fn sized(mut response: Response, bytes: u64, head: bool) -> Response {
    if response.status() != StatusCode::NO_CONTENT {
        response.headers_mut().insert(CONTENT_LENGTH, bytes.into());
    }
    if head { response.map(|_| Body::empty()) } else { response }
}
