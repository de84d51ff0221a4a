//! The web app: pages rendered on the server, one file each, that work without scripts.

mod access;
mod account;
mod calendar;
mod calendar_file;
mod chart;
mod connect;
mod developers;
mod dividends;
mod explain;
mod feed;
pub mod format;
mod holdings;
mod import;
mod income;
mod ledger;
mod page;
mod portfolio_picker;
mod portfolios;
mod radar;
mod search;
mod securities;
mod settings;
mod shared;
mod stock;
mod theme;
mod upcoming;
mod visit;
mod what_if;

use std::net::IpAddr;
use std::sync::Arc;

use app::App;
use app::accounts::SignUp;
use app::oauth::Documents;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::{get, post};
use ipnet::IpNet;
use serde_json::Value;
use serving::{Limiter, Redis, SharedLimiter, address};

use account::{reset, sign_in, sign_up, unlock};
use page::assets;
pub use visit::{cookies, form_token, links, notice};

use visit::page_error::PageError;

type Reply = Result<Response, PageError>;

/// What all pages share.
#[derive(Clone)]
pub struct Web {
    app: Arc<App>,
    shared: Arc<Shared>,
}

struct Shared {
    base_url: String,
    trusted_proxies: Vec<IpNet>,
    sign_up: SignUp,
    /// Attempts at passwords and codes, per address.
    attempts: SharedLimiter,
    device_codes: SharedLimiter,
    /// Visitors who come from an app and are not signed in.
    strangers: SharedLimiter,
    /// Page views of visitors who are not signed in.
    pages: SharedLimiter,
    reference: developers::Reference,
    documents: Arc<dyn Documents>,
}

const ATTEMPTS_MAX: u8 = 20;
/// Nobody reads two pages a second for a whole minute.
const PAGES_MAX: u8 = 120;

impl Web {
    /// `base_url` is the public address of the service without a trailing slash; `openapi` describes the API for the developers'
    /// page.
    pub fn new(
        app: Arc<App>,
        base_url: &str,
        trusted_proxies: Vec<IpNet>,
        sign_up: SignUp,
        openapi: &Value,
        documents: Arc<dyn Documents>,
        redis: Option<Arc<Redis>>,
    ) -> Web {
        let limiter_of = |name, requests_max| SharedLimiter::new(name, Limiter::of(requests_max), redis.clone());
        let limiter = |name| limiter_of(name, ATTEMPTS_MAX);
        let shared = Shared {
            base_url: base_url.to_owned(),
            trusted_proxies,
            sign_up,
            attempts: limiter("attempts"),
            device_codes: limiter("device_codes"),
            strangers: limiter("strangers"),
            pages: limiter_of("pages", PAGES_MAX),
            reference: developers::Reference::of(openapi, base_url),
            documents,
        };
        Web { app, shared: Arc::new(shared) }
    }

    fn documents(&self) -> &dyn Documents {
        &*self.shared.documents
    }

    fn base_url(&self) -> &str {
        &self.shared.base_url
    }

    /// Counts a page view by somebody who is not signed in.
    async fn admit_stranger(&self, parts: &Parts) -> Result<(), PageError> {
        let decision = self.shared.pages.check(self.client(parts).into()).await;
        if decision.allowed { Ok(()) } else { Err(PageError::too_many_pages(decision.reset_seconds)) }
    }

    /// The client's IP address.
    fn client(&self, parts: &Parts) -> IpAddr {
        address::client_ip(parts, &self.shared.trusted_proxies)
    }
}

/// All routes of the web app.
pub fn routes(web: Web) -> Router {
    Router::new()
        .route("/", get(income::get))
        .route("/welcome", get(sign_up::get_welcome).post(sign_up::post_welcome))
        .route("/sign-up", get(sign_up::get).post(sign_up::post))
        .route("/sign-up/{secret}", get(sign_up::get_link).post(sign_up::post_link))
        .route("/unlock", post(unlock::post))
        .route("/unlock/{secret}", get(unlock::get_link).post(unlock::post_link))
        .route("/sign-in", get(sign_in::get).post(sign_in::post))
        .route("/sign-in/code", get(sign_in::get_code).post(sign_in::post_code))
        .route("/sign-out", post(sign_in::sign_out))
        .route("/confirm", get(sign_in::get_confirm).post(sign_in::post_confirm))
        .route("/reset", get(reset::get).post(reset::post))
        .route("/reset/{secret}", get(reset::get_choose).post(reset::post_choose))
        .route("/upcoming", get(upcoming::get))
        .route("/dividends", get(dividends::get))
        .route("/dividends/missing", get(dividends::missing::get))
        .route("/dividends/missing/{action}", get(dividends::missing::back).post(dividends::missing::post))
        .route("/holdings", get(holdings::get))
        .route("/calendar", get(calendar::get))
        .route("/explain", get(explain::get))
        .route("/stocks/{symbol}", get(stock::get))
        .route("/radar", get(radar::get))
        .route("/radar/add", post(radar::add))
        .route("/radar/remove", post(radar::remove))
        .route("/radar/targets", post(radar::targets))
        .route("/whatif", get(what_if::get))
        .route("/p/{slug}", get(shared::get))
        .route("/import", get(import::get).post(import::upload::post).layer(DefaultBodyLimit::disable()))
        .route("/import/discard-all", post(import::discard_all))
        .route("/import/positions", post(import::positions::post))
        .route("/import/done/{id}", get(import::done::get))
        .route("/import/done/{id}/again", post(import::done::again))
        .route("/import/files/{id}", get(import::file))
        .route("/import/undo/{id}", post(import::undo))
        .route("/import/{id}", get(import::plan::get))
        .route("/import/{id}/answer", post(import::answer::post))
        .route("/import/{id}/apply", post(import::answer::apply))
        .route("/import/{id}/discard", post(import::answer::discard))
        .route("/ledger", get(ledger::get))
        .route("/ledger/new", get(ledger::edit::get_new).post(ledger::edit::post_new))
        .route("/ledger/check", post(ledger::edit::post_check))
        .route("/ledger/confirm", post(ledger::confirm::post))
        .route("/ledger/move", post(ledger::selected::post_move))
        .route("/ledger/delete", post(ledger::selected::post_delete))
        .route("/ledger/undo", post(ledger::undo::post))
        .route("/ledger/export", post(ledger::export::post))
        .route("/ledger/suggest", get(ledger::question::get_suggest))
        .route("/ledger/kind", post(ledger::edit::post_kind))
        .route("/ledger/{sequence}", get(ledger::edit::get).post(ledger::edit::post))
        .route("/ledger/{sequence}/delete", get(ledger::remove::get).post(ledger::remove::post))
        .route("/portfolios", get(portfolios::get))
        .route("/portfolios/{action}", post(portfolios::post))
        .route("/help/market-data", get(settings::market_data::moved))
        .route("/securities", get(securities::get))
        .route("/securities/{action}", post(securities::post))
        .route("/search", get(search::get))
        .route("/search/suggest", get(search::suggest))
        .route("/settings/access", get(access::get))
        .route("/settings/access/tokens", get(access::back).post(access::create_token))
        .route("/settings/access/revoke", get(access::back).post(access::revoke_token))
        .route("/settings/access/feeds", get(access::back).post(access::create_feed))
        .route("/settings/access/revoke-feed", get(access::back).post(access::revoke_feed))
        .route("/settings/access/revoke-app", get(access::back).post(access::revoke_app))
        .route("/settings/access/revoke-apps", get(access::back).post(access::revoke_apps))
        .route("/oauth/authorize", get(connect::authorize::get))
        .route("/oauth/consent", post(connect::authorize::post))
        .route("/device", get(connect::device::get).post(connect::device::post))
        .route("/device/decide", post(connect::device::decide))
        .route("/feed/{file}", get(feed::get))
        .route("/developers", get(developers::get))
        .route("/settings", get(settings::profile::get))
        .route("/settings/profile", post(settings::profile::post))
        .route("/settings/shortcuts", post(settings::shortcuts::post))
        .route("/settings/security", get(settings::security::get))
        .route("/settings/security/password", post(settings::security::password))
        .route("/settings/security/email", post(settings::security::email))
        .route("/settings/security/verify", post(settings::security::verify))
        .route("/settings/verify/{secret}", get(settings::email::get_verify).post(settings::email::post_verify))
        .route("/settings/email/{secret}", get(settings::email::get).post(settings::email::post))
        .route("/settings/security/factor", get(settings::factor::get).post(settings::factor::begin))
        .route("/settings/security/factor/confirm", post(settings::factor::confirm))
        .route("/settings/security/factor-off", post(settings::factor::disable))
        .route("/settings/security/codes", post(settings::factor::new_codes))
        .route("/settings/security/end", post(settings::sessions::end))
        .route("/settings/security/end-others", post(settings::sessions::end_others))
        .route("/settings/market-data", get(settings::market_data::get))
        .route("/settings/market-data/choose", post(settings::market_data::choose))
        .route("/settings/market-data/refresh", post(settings::market_data::refresh))
        .route("/settings/market-data/test", post(settings::market_data::test))
        .route("/settings/data", get(settings::data::get))
        .route("/settings/data/export", post(settings::data::export))
        .route("/settings/data/delete", post(settings::data::delete))
        .route("/.well-known/change-password", get(settings::security::well_known))
        .route("/theme", post(theme::post))
        .route("/assets/{name}", get(assets::get))
        .route("/favicon.ico", get(assets::favicon))
        .route("/robots.txt", get(assets::robots))
        .with_state(web)
}

/// Whether the script requests only a part of the page.
fn is_fragment(parts: &Parts) -> bool {
    parts.headers.contains_key("x-fragment")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An unguessable text, two characters per byte.
fn random_hex<const BYTES: usize>() -> String {
    let mut bytes = [0_u8; BYTES];
    // Nothing is safe to serve without randomness: the request fails with 500.
    getrandom::fill(&mut bytes).unwrap_or_else(|error| panic!("the operating system gives no randomness: {error}"));
    hex(&bytes)
}
