//! A few routes that behave as those of the product do, and a few that misbehave.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, VARY};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use ipnet::IpNet;
use serving::{ApiError, ClientKey, Limiter, PeerAddress, Query, address, params};

pub const BIG_ITEMS: usize = 2_000;

pub fn router() -> Router {
    Router::new()
        .route("/api/v1/me", get(|| async { json(r#"{"id":1}"#.to_owned()) }))
        .route("/api/v1/big", get(|| async { json(big()) }))
        .route("/api/v1/known", get(|| async { ([(ETAG, "W/\"known\"")], json(big())) }))
        .route("/api/v1/days", get(days))
        .route("/api/v1/search", get(search))
        .route("/api/v1/stocks/{symbol}", get(stock))
        .route("/api/v1/panic", get(|| async { failing() }))
        .route("/api/v1/slow", get(slow))
        .route("/api/v1/plain-error", get(|| async { (StatusCode::BAD_GATEWAY, "SELECT broke at src/x.rs:1").into_response() }))
        .route("/api/v1/echo", axum::routing::post(|body: Bytes| async { body }))
        .route("/api/v1/huge", get(|| async { vec![b'x'; 64 << 20] }))
        .route("/page-error", get(|| async { (StatusCode::NOT_FOUND, [(CONTENT_TYPE, "text/html")], "<p>nothing</p>") }))
        .route("/health", get(|| async { "well" }))
}

/// One route that counts its clients, behind proxies on 127.0.0.0/8 if `behind_proxy`.
pub fn limited(behind_proxy: bool) -> Router {
    let trusted: Vec<IpNet> = if behind_proxy { vec!["127.0.0.0/8".parse().unwrap()] } else { Vec::new() };
    Router::new().route("/api/v1/calendar", get(counted)).with_state(Arc::new((Limiter::new(), trusted)))
}

async fn counted(State(state): State<Arc<(Limiter, Vec<IpNet>)>>, request: Request) -> Response {
    let peer = request.extensions().get::<PeerAddress>().unwrap().0.ip();
    let client = address::client(peer, request.headers(), &state.1);
    let decision = state.0.check(ClientKey::from(client), Instant::now());
    if !decision.allowed {
        return decision.refusal().into_response();
    }
    (decision.headers(), json("{}".to_owned())).into_response()
}

async fn days(uri: Uri) -> Result<Response, ApiError> {
    let days = Query::parse(uri.query())?.integer("days", 1..=120, 45)?;
    Ok(json(format!(r#"{{"days":{days}}}"#)))
}

async fn search(uri: Uri) -> Result<Response, ApiError> {
    let query = Query::parse(uri.query())?;
    Ok(json(serde_json::json!({ "q": query.required_text("q", 100)? }).to_string()))
}

async fn stock(uri: Uri) -> Result<Response, ApiError> {
    match params::last_segment(uri.path())?.as_str() {
        "KO" => Ok(json(r#"{"symbol":"KO"}"#.to_owned())),
        _ => Err(ApiError::not_found("This stock is not tracked. Please check its symbol.")),
    }
}

async fn slow(uri: Uri) -> Response {
    let milliseconds = uri.query().unwrap_or("60000").parse().unwrap();
    tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    json(r#"{"slow":true}"#.to_owned())
}

fn failing() -> Response {
    panic!("a secret of the handler")
}

pub fn big() -> String {
    let items: Vec<String> = (0..BIG_ITEMS).map(|number| format!(r#"{{"item":{number}}}"#)).collect();
    format!("[{}]", items.join(","))
}

fn json(body: String) -> Response {
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "private, no-cache"), (VARY, "Authorization")];
    (headers, Body::from(body)).into_response()
}
