//! The authorization server: metadata, tokens, registration. The consent pages are in `web/connect`.

mod device;
pub mod document;
mod introspect;
mod metadata;
mod register;
mod reply;
mod revoke;
pub mod sender;
mod token;

use std::net::IpAddr;
use std::sync::Arc;

use app::App;
use app::oauth::Documents;
use axum::Router;
use axum::http::request::Parts;
use axum::routing::{get, post};
use ipnet::IpNet;
use serving::{Limiter, Redis, SharedLimiter, address};

/// State shared by all endpoints.
#[derive(Clone)]
pub struct OAuth {
    app: Arc<App>,
    shared: Arc<Shared>,
}

struct Shared {
    base_url: String,
    trusted_proxies: Vec<IpNet>,
    documents: Arc<dyn Documents>,
    registrations: SharedLimiter,
    devices: SharedLimiter,
}

const REGISTRATIONS_PER_HOUR: u8 = 10;
const DEVICES_PER_MINUTE: u8 = 20;

impl OAuth {
    pub fn new(
        app: Arc<App>,
        base_url: &str,
        trusted_proxies: Vec<IpNet>,
        documents: Arc<dyn Documents>,
        redis: Option<Arc<Redis>>,
    ) -> OAuth {
        let shared = Shared {
            base_url: base_url.to_owned(),
            trusted_proxies,
            documents,
            registrations: SharedLimiter::new("registrations", Limiter::hourly(REGISTRATIONS_PER_HOUR), redis.clone()),
            devices: SharedLimiter::new("devices", Limiter::of(DEVICES_PER_MINUTE), redis),
        };
        OAuth { app, shared: Arc::new(shared) }
    }

    fn base_url(&self) -> &str {
        &self.shared.base_url
    }

    fn client_address(&self, parts: &Parts) -> IpAddr {
        address::client_ip(parts, &self.shared.trusted_proxies)
    }
}

/// The table of contents.
pub fn routes(oauth: OAuth) -> Router {
    Router::new()
        .route("/.well-known/oauth-authorization-server", get(metadata::server))
        .route("/.well-known/oauth-protected-resource", get(metadata::whole))
        .route("/.well-known/oauth-protected-resource/api/v1", get(metadata::api))
        .route("/.well-known/oauth-protected-resource/mcp", get(metadata::mcp))
        .route("/oauth/token", post(token::post))
        .route("/oauth/register", post(register::post))
        .route("/oauth/revoke", post(revoke::post))
        .route("/oauth/introspect", post(introspect::post))
        .route("/oauth/device_authorization", post(device::post))
        .with_state(oauth)
}
