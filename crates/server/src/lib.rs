//! All front ends on the plumbing of `serving`: `api` is the JSON API, the crate `pages` the web app, `oauth` the authorization
//! server for third-party apps, `mcp` the connector for AI assistants, `health` and `metrics` for monitoring.

pub mod api;
mod health;
pub mod mcp;
pub mod metrics;
pub mod oauth;

use std::sync::Arc;
use std::time::Duration;

use app::App;
use app::accounts::SignUp;
use app::oauth::Documents;
use ipnet::IpNet;

pub struct Settings {
    /// The public address of the service, without a slash at its end.
    pub base_url: String,
    pub trusted_proxies: Vec<IpNet>,
    pub sign_up: SignUp,
    /// Fetches the descriptions of apps.
    pub documents: Arc<dyn Documents>,
    /// Shared rate limits of all nodes.
    pub redis: Option<Arc<serving::Redis>>,
    pub draining: serving::Draining,
    /// How many requests may run before others get 503.
    pub requests_at_once: usize,
}

/// Enough for a file of 50 MB over a slow connection.
const UPLOAD_TIME: Duration = Duration::from_secs(300);

/// All front ends of the service.
pub fn site(app: Arc<App>, settings: Settings) -> serving::Site {
    let Settings { base_url, trusted_proxies, sign_up, documents, redis, draining, requests_at_once } = settings;
    let request_metrics = Arc::new(serving::RequestMetrics::default());
    let api = api::Api::new(app.clone(), &base_url, trusted_proxies.clone(), redis.clone(), request_metrics.clone());
    let front_end = Arc::new(api.clone());
    let routes = api::routes(api.clone());
    let described = (api, routes.clone(), &*api::openapi::DOCUMENT_3_1);
    let mcp = mcp::Mcp::new(app.clone(), &base_url, described, redis.clone(), request_metrics.clone());
    let oauth = oauth::OAuth::new(app.clone(), &base_url, trusted_proxies.clone(), documents.clone(), redis.clone());
    let health = health::routes(app.clone(), draining.clone());
    let web = pages::Web::new(app, &base_url, trusted_proxies.clone(), sign_up, &api::openapi::with_examples(), documents, redis);
    let import =
        serving::Upload { path: "/import", bytes_max: (app::import::BYTES_MAX as u64) + (64 << 10), time_limit: UPLOAD_TIME };
    // The connector checks the length itself, after the token.
    let connector = |path| serving::Upload { path, bytes_max: u64::MAX, time_limit: serving::Options::default().time_limit };
    let options = serving::Options {
        always_served: health::PATHS.map(str::to_owned).to_vec(),
        uploads: vec![import, connector("/mcp"), connector("/mcp/public")],
        error_pages: Some(Arc::new(web.clone())),
        draining,
        concurrency_max: requests_at_once,
        front_end: Some(front_end),
        trusted_proxies,
        request_metrics,
        ..serving::Options::default()
    };
    serving::wrap(routes.merge(mcp::routes(mcp)).merge(oauth::routes(oauth)).merge(pages::routes(web)).merge(health), options)
}
