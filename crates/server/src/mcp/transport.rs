//! MCP over HTTP, whatever the server behind it does: stateless, JSON, one endpoint for both revisions. What browsers of other sites
//! send is refused.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ORIGIN};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{SessionManager, StreamableHttpServerConfig, StreamableHttpService};
use serving::{ApiError, Reason};

use super::refusals;

/// Of a request. Arguments of tools are short, and JSON of this size is parsed in milliseconds.
pub const BYTES_MAX: u64 = 128 << 10;

#[derive(Clone)]
pub struct Endpoint<S, M = NeverSessionManager> {
    origin: Arc<str>,
    service: StreamableHttpService<S, M>,
}

impl<S: ServerHandler + Clone> Endpoint<S> {
    /// `base_url` is the public address of the service, whose own pages may call it.
    pub fn new(base_url: &str, server: S) -> Endpoint<S> {
        Endpoint::over(base_url, server, NeverSessionManager::default(), config())
    }
}

impl<S: ServerHandler + Clone, M: SessionManager> Endpoint<S, M> {
    /// With sessions, which a server needs that asks its clients of the earlier revision. The service itself asks nobody.
    pub fn with_sessions(base_url: &str, server: S, sessions: M) -> Endpoint<S, M> {
        Endpoint::over(base_url, server, sessions, config().with_legacy_session_mode(true))
    }

    fn over(base_url: &str, server: S, sessions: M, config: StreamableHttpServerConfig) -> Endpoint<S, M> {
        let service = StreamableHttpService::new(move || Ok(server.clone()), Arc::new(sessions), config);
        Endpoint { origin: base_url.to_ascii_lowercase().into(), service }
    }

    /// 403 for requests from a browser page of another site.
    pub fn admit(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let own = |origin: &HeaderValue| origin.to_str().is_ok_and(|origin| origin.eq_ignore_ascii_case(&self.origin));
        if !headers.get_all(ORIGIN).iter().all(own) {
            let refused = ApiError::forbidden("Pages of other sites can't use this address. Call it from a program.");
            return Err(refused.because(Reason::Origin).closing());
        }
        Ok(())
    }

    /// 413 if the declared length is too large.
    pub fn measure(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let declared = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        match declared {
            Some(bytes) if bytes > BYTES_MAX => Err(ApiError::payload_too_large().closing()),
            _ => Ok(()),
        }
    }

    pub async fn answer(&self, request: Request) -> Response {
        let sent_as_json =
            request.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
        let (parts, body) = request.into_parts();
        // Otherwise it is too long, or nobody waits for the answer.
        let Ok(body) = to_bytes(body, BYTES_MAX as usize).await else {
            return ApiError::payload_too_large().closing().into_response();
        };
        let request = Request::from_parts(parts, Body::from(body.clone()));
        let response = self.service.handle(request).await.map(Body::new).into_response();
        let mut response = refusals::reworded(response, sent_as_json, &body);
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }
}

fn config() -> StreamableHttpServerConfig {
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        // The Origin is checked above, in our own words. The Host may be any: what counts is the token.
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_max_request_body_bytes(BYTES_MAX as usize)
}
