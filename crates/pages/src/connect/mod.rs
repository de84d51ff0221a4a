//! Where users decide about third-party apps: `/oauth/authorize` asks, `/oauth/consent` takes the answer, `/device` is for apps
//! without a browser.

pub mod authorize;
mod consent;
pub mod device;

use app::authentication::sessions;
use app::oauth::authorize::Form;
use app::oauth::{Audience, Client, Kind};
use messages::web::Texts;
use sha2::{Digest, Sha256};

use crate::Web;
use crate::visit::SignedIn;

/// Whether the password was confirmed recently enough to allow an app.
fn is_recent(web: &Web, who: &SignedIn) -> bool {
    sessions::is_recent(&who.me, web.app.clock.now_micros())
}

/// The form a token stands for; `None` if it has expired or belongs to another session or request.
fn form_of(web: &Web, who: &SignedIn, token: &str, request: &str) -> Option<Form> {
    let expires_at = who.visitor.single_use_expiry(token, request, web.app.clock.now_micros())?;
    Some(Form { hash: Sha256::digest(token).into(), expires_at })
}

/// What the user is told about the app.
struct Asking {
    name: String,
    /// How trustworthy the name is.
    known: String,
    reads: &'static str,
}

impl Asking {
    fn of(client: &Client, audience: Audience, t: &'static Texts) -> Asking {
        let host = client.id.strip_prefix("https://").and_then(|rest| rest.split('/').next()).unwrap_or_default();
        let known = match client.kind {
            Kind::Document => t.connect.known_by_address(host),
            Kind::Operator => t.connect.known_by_operator.to_owned(),
            Kind::Registered | Kind::ResourceServer => t.connect.not_verified.to_owned(),
        };
        let reads = match audience {
            Audience::Api => t.connect.reads_api,
            Audience::Mcp => t.connect.reads_mcp,
        };
        Asking { name: t.connect.app_name(&client.name).to_owned(), known, reads }
    }
}
