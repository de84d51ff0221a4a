//! `/api/v1`: one file per resource, each with its parameters, its wire types and its handler.

mod answers;
mod calendar;
mod caller;
mod dividends;
mod endpoint;
mod endpoints;
mod explain;
mod fast_lane;
mod holdings;
mod income;
mod me;
pub mod openapi;
pub(crate) mod parameters;
mod portfolios;
mod radar;
mod received;
mod status;
mod stocks;
mod transactions;
mod upcoming;
mod valuation;
mod what_if;
mod wire;

use std::sync::Arc;

use app::App;
use axum::Router;
use ipnet::IpNet;
use serving::{ApiError, Challenge, Limiter, Redis, RequestMetrics, SharedLimiter};

use answers::Answers;
pub use income::Income;

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

pub fn routes(api: Api) -> Router {
    let rows = endpoints::ENDPOINTS.iter().chain(&openapi::ENDPOINTS_OF_DOCUMENT);
    rows.fold(Router::new(), |router, row| router.route(row.path, (row.route)())).with_state(api)
}
