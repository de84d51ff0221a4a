//! `/healthz` and `/readyz`, for monitoring and load balancers. Neither is rate-limited or cached.

use std::sync::Arc;
use std::time::Duration;

use app::App;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use serving::{ApiError, Draining};

pub const PATHS: [&str; 2] = ["/healthz", "/readyz"];
const DATABASE_TIME: Duration = Duration::from_secs(1);

#[derive(Clone)]
struct Node {
    app: Arc<App>,
    draining: Draining,
}

#[derive(Serialize)]
struct Status {
    status: &'static str,
}

pub fn routes(app: Arc<App>, draining: Draining) -> Router {
    let [health, readiness] = PATHS;
    Router::new().route(health, get(healthz)).route(readiness, get(readyz)).with_state(Node { app, draining })
}

/// Only says that the process answers.
async fn healthz() -> Response {
    unkept(Json(Status { status: "ok" }))
}

/// The node can serve requests: the database answers, and the node is not stopping.
async fn readyz(State(node): State<Node>) -> Response {
    match !node.draining.has_begun() && database_answers(&node.app).await {
        true => unkept(Json(Status { status: "ready" })),
        false => unkept(ApiError::unavailable(1)),
    }
}

async fn database_answers(app: &App) -> bool {
    match tokio::time::timeout(DATABASE_TIME, app.store.versions()).await {
        Ok(Ok(_)) => true,
        Ok(Err(error)) => {
            tracing::debug!(%error, "not ready: the database is not available");
            false
        }
        Err(_) => {
            tracing::debug!("not ready: the database did not answer in time");
            false
        }
    }
}

fn unkept(answer: impl IntoResponse) -> Response {
    ([(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], answer).into_response()
}
