//! The server that the conformance suite of the protocol expects, on the transport of the product. Not shipped: the suite calls
//! tools by names of its own, which the product has no use for. Prints its address and serves until it is stopped.
//! With `--sessions` it keeps sessions, which the product does not: questions to a client of the earlier revision need them.
#![allow(clippy::print_stdout, clippy::unwrap_used)] // a fixture that cannot start should stop where it stands

mod changes;
mod content;
mod fixture;
mod notices;
mod prompts;
mod questions;
mod resources;
mod rounds;
mod seal;
mod tools;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::any;
use rmcp::transport::streamable_http_server::SessionManager;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use server::mcp::transport::Endpoint;
use serving::ApiError;
use tokio::net::TcpListener;

use fixture::Fixture;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    let router = match std::env::args().nth(1).as_deref() {
        Some("--sessions") => routes(Endpoint::with_sessions(&base_url, Fixture::default(), LocalSessionManager::default())),
        Some(other) => panic!("{other} is not known; there is --sessions"),
        None => routes(Endpoint::new(&base_url, Fixture::default())),
    };
    println!("{base_url}");
    let site = serving::wrap(router, serving::Options::default());
    serving::serve(listener, site, serving::Limits::default(), std::future::pending()).await;
}

fn routes<M: SessionManager>(endpoint: Endpoint<Fixture, M>) -> Router {
    Router::new().route("/mcp", any(answer::<M>)).with_state(Arc::new(endpoint))
}

async fn answer<M: SessionManager>(
    State(endpoint): State<Arc<Endpoint<Fixture, M>>>,
    request: Request,
) -> Result<Response, ApiError> {
    endpoint.admit(request.headers())?;
    endpoint.measure(request.headers())?;
    Ok(endpoint.answer(request).await)
}
