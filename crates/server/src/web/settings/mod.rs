//! `/settings`: the user's own account, in three pages.

mod activity;
mod agent;
pub mod data;
pub mod email;
pub mod factor;
pub mod profile;
mod qr;
pub mod security;
pub mod sessions;
pub mod shortcuts;

use app::sessions::is_recent;
use axum::response::Response;

use super::page::{Section, Shell};
use super::visitor::SignedIn;
use super::{Web, cookies};

impl SignedIn {
    fn settings(&self, title: &str) -> Shell {
        self.visitor.shell(title, Section::Settings)
    }

    /// Whether what needs the password can be done without being asked for it.
    fn is_confirmed(&self, web: &Web) -> bool {
        is_recent(&self.me, web.app.clock.now_micros())
    }
}

/// The session goes on under another secret.
fn going_on(mut response: Response, session: &str) -> Response {
    cookies::set(response.headers_mut(), cookies::SESSION, session, Some(30 * cookies::DAY));
    response
}
