//! The only HTTP. `http` is the plumbing, `api` the JSON API, `web` the pages for people, `metrics` for those who watch the service.

pub mod api;
pub mod http;
pub mod metrics;
pub mod web;

use std::sync::Arc;
use std::time::Duration;

use app::App;
use app::accounts::SignUp;
use ipnet::IpNet;

pub struct Settings {
    /// The public address of the service, without a slash at its end.
    pub base_url: String,
    pub trusted_proxies: Vec<IpNet>,
    pub sign_up: SignUp,
}

/// For a file of fifty megabytes over a slow line.
const UPLOAD_TIME: Duration = Duration::from_secs(300);

/// Every front door of the service.
pub fn site(app: Arc<App>, settings: Settings) -> http::Site {
    let Settings { base_url, trusted_proxies, sign_up } = settings;
    let api = api::Api::new(app.clone(), &base_url, trusted_proxies.clone());
    let web = web::Web::new(app, &base_url, trusted_proxies, sign_up, &api::openapi::DOCUMENT_3_0);
    let import =
        http::Upload { path: "/import", bytes_max: (app::import::BYTES_MAX as u64) + (64 << 10), time_limit: UPLOAD_TIME };
    let options = http::Options { uploads: vec![import], error_page: Some(web::error_page), ..http::Options::default() };
    http::wrap(api::routes(api).merge(web::routes(web)), options)
}
