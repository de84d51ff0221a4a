//! `/api/v1`: one file per resource, each with its parameters, its wire types and its handler.

mod answers;
mod calendar;
mod caller;
#[doc(hidden)]
pub mod counted;
mod dividends;
mod holdings;
mod income;
mod me;
pub mod openapi;
mod portfolios;
mod response_cache;
mod stocks;
mod upcoming;
mod wire;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use ipnet::IpNet;

use crate::http::{ApiError, Challenge, Lasting, Limiter, Redis, RequestMetrics, SharedLimiter};
use answers::Answers;
pub(crate) use response_cache::Answered;

pub(crate) type Reply<T> = Result<T, ApiError>;

/// What every handler of the API shares.
#[derive(Clone)]
pub struct Api {
    app: Arc<App>,
    shared: Arc<Shared>,
}

struct Shared {
    answers: Answers,
    limiter: SharedLimiter,
    challenge: Challenge,
    trusted_proxies: Vec<IpNet>,
    request_metrics: Arc<RequestMetrics>,
}

impl Api {
    /// `base_url` is the public address of the service, without a slash at its end.
    pub fn new(
        app: Arc<App>,
        base_url: &str,
        trusted_proxies: Vec<IpNet>,
        redis: Option<Arc<Redis>>,
        request_metrics: Arc<RequestMetrics>,
    ) -> Api {
        let challenge = Challenge::new(&format!("{base_url}/.well-known/oauth-protected-resource/api/v1"));
        let limiter = SharedLimiter::new("anon", Limiter::new(), redis);
        let shared = Shared { answers: Answers::default(), limiter, challenge, trusted_proxies, request_metrics };
        Api { app, shared: Arc::new(shared) }
    }
}

/// Where a live token is needed. At one that is missing here, what is no token is refused all the same, only later.
const PRIVATE: [&str; 6] =
    ["/api/v1/me", "/api/v1/portfolios", "/api/v1/holdings", "/api/v1/dividends", "/api/v1/income", "/api/v1/upcoming"];

/// The table of contents of the API.
pub fn routes(api: Api) -> Router {
    let private = Router::new()
        .route("/api/v1/me", get(me::get))
        .route("/api/v1/portfolios", get(portfolios::list))
        .route("/api/v1/holdings", get(holdings::list))
        .route("/api/v1/dividends", get(dividends::list))
        .route("/api/v1/income", get(income::get))
        .route("/api/v1/upcoming", get(upcoming::list))
        .route_layer(map_response(private_headers));
    let public = Router::new()
        .route("/api/v1/calendar", get(calendar::get))
        .route("/api/v1/stocks", get(stocks::search))
        .route("/api/v1/stocks/{symbol}", get(stocks::get))
        .route("/api/v1/openapi.json", get(document_3_0))
        .route("/api/v1/openapi-3.1.json", get(document_3_1));
    private.merge(public).with_state(api)
}

async fn private_headers(mut response: Response) -> Response {
    if matches!(response.status(), StatusCode::OK | StatusCode::UNAUTHORIZED) {
        response.extensions_mut().insert(Lasting);
    }
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.append(header::VARY, HeaderValue::from_static("Authorization"));
    response
}

async fn document_3_0(State(api): State<Api>, parts: Parts) -> Reply<Response> {
    document(&api, &parts, &openapi::DOCUMENT_3_0).await
}

async fn document_3_1(State(api): State<Api>, parts: Parts) -> Reply<Response> {
    document(&api, &parts, &openapi::DOCUMENT_3_1).await
}

async fn document(api: &Api, parts: &Parts, document: &serde_json::Value) -> Reply<Response> {
    let response = ([(header::CONTENT_TYPE, "application/json")], openapi::text(document)).into_response();
    api.uncounted(parts).await?.seal(Ok(response))
}

impl From<app::Error> for ApiError {
    /// The cause is logged here, once, and not part of the public answer.
    fn from(error: app::Error) -> ApiError {
        match error {
            app::Error::UnknownPortfolio(_) => ApiError::invalid_params(
                "portfolio",
                "the name or slug of one of your portfolios. GET /api/v1/portfolios lists them",
            ),
            app::Error::Busy => ApiError::unavailable(5),
            outage if outage.is_outage() => {
                tracing::error!(error = %outage, "the database is unavailable");
                ApiError::unavailable(5)
            }
            other => {
                tracing::error!(error = %other, "an answer could not be computed");
                ApiError::internal()
            }
        }
    }
}
