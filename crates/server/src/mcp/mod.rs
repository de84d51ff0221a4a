//! `/mcp`: the connector for AI assistants. Its tools are the API's own operations, called in-process.

mod arguments;
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

use crate::http::Challenge;
use connector::Connector;
use transport::Endpoint;

/// What a request passes before anything of it is read.
#[derive(Clone)]
pub struct Mcp {
    app: Arc<App>,
    challenge: Challenge,
    endpoint: Endpoint<Connector>,
}

impl Mcp {
    /// `api` answers the tools' requests, and `openapi` (3.1) describes them.
    pub fn new(app: Arc<App>, base_url: &str, api: Router, openapi: &Value) -> Mcp {
        let challenge = Challenge::new(&format!("{base_url}/.well-known/oauth-protected-resource/mcp"));
        let connector = Connector::new(api, openapi);
        Mcp { app, challenge, endpoint: Endpoint::new(base_url, connector) }
    }
}

pub fn routes(mcp: Mcp) -> Router {
    Router::new().route("/mcp", post(door::post)).with_state(mcp)
}
