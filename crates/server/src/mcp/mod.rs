//! `/mcp`: the connector for AI assistants. Its tools are the API's own operations, called in-process. `/mcp/public` has those that
//! need no token.

pub mod arguments;
mod connector;
mod door;
mod prompts;
mod refusals;
mod resources;
mod schemas;
mod tools;
pub mod transport;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::routing::post;
use serde_json::Value;
use serving::{Challenge, Limiter, Redis, RequestMetrics, SharedLimiter};

use crate::api::Api;
use connector::{Connector, UserCalls};
use transport::Endpoint;

/// Of one user's tools: far more than a conversation needs.
const CALLS_PER_MINUTE: u8 = 240;

/// What a request passes before anything of it is read.
#[derive(Clone)]
pub struct Mcp {
    app: Arc<App>,
    challenge: Challenge,
    endpoint: Endpoint<Connector>,
    public: Endpoint<Connector>,
    /// Counts the requests of anybody.
    api: Api,
    request_metrics: Arc<RequestMetrics>,
}

impl Mcp {
    /// `routes` of the API answer the tools' requests, and `openapi` (3.1) describes them.
    pub fn new(
        app: Arc<App>,
        base_url: &str,
        (api, routes, openapi): (Api, Router, &Value),
        redis: Option<Arc<Redis>>,
        request_metrics: Arc<RequestMetrics>,
    ) -> Mcp {
        let challenge = Challenge::new(&format!("{base_url}/.well-known/oauth-protected-resource/mcp"));
        let calls = SharedLimiter::new("calls", Limiter::of(CALLS_PER_MINUTE), redis);
        let users = UserCalls { limiter: calls, request_metrics: request_metrics.clone() };
        let endpoint = Endpoint::new(base_url, Connector::new(routes.clone(), openapi, users));
        let public = Endpoint::new(base_url, Connector::public(routes, openapi));
        Mcp { app, challenge, endpoint, public, api, request_metrics }
    }
}

pub fn routes(mcp: Mcp) -> Router {
    Router::new().route("/mcp", post(door::post)).route("/mcp/public", post(door::post_public)).with_state(mcp)
}
