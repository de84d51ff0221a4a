//! `/settings`: the user's own account, and the market data of the service.

mod activity;
mod agent;
pub mod data;
pub mod email;
pub mod factor;
pub mod market_data;
pub mod profile;
mod qr;
pub mod security;
pub mod sessions;
pub mod shortcuts;

use app::authentication::sessions::is_recent;
use axum::response::Response;

use crate::Web;
use crate::page::{Section, Shell};
use crate::visit::{SignedIn, cookies};

const SECURITY_PAGE: &str = "/settings/security";

impl SignedIn {
    fn settings(&self, title: &str) -> Shell {
        self.visitor.shell(title, Section::Settings)
    }

    /// Whether actions that need the password are possible without asking for it.
    fn is_confirmed(&self, web: &Web) -> bool {
        is_recent(&self.me, web.app.clock.now_micros())
    }
}

/// The session has a new secret.
fn with_session(mut response: Response, session: &str) -> Response {
    cookies::set(response.headers_mut(), cookies::SESSION, session, Some(30 * cookies::DAY));
    response
}
