//! Third-party apps: what they may request, what users allow them, and their tokens. No HTTP here.

pub mod authorize;
pub mod clients;
pub mod device;
mod exchange;
pub mod grants;
mod introspect;
mod names;
mod prune;
pub mod redirects;
mod refresh;
mod refused;
pub mod register;
mod revoke;
mod tokens;

use crate::Error;

pub use clients::{Client, Document, Documents};
pub use exchange::{CodeGiven, by_code};
pub use introspect::{Introspection, introspect};
pub use names::shown_name;
pub use redirects::{Way, shown_host, shown_origin};
pub use refresh::{RefreshGiven, by_refresh_token};
pub use refused::{DescriptionError, MetadataError, Refused};
pub use revoke::revoke;
pub use store::oauth::Audience;
pub use store::oauth::clients::{AuthMethod, Kind};
pub use tokens::Issued;

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const DAY: i64 = 24 * 60 * MINUTE;

/// The only scope: read access.
pub const SCOPE: &str = "read";
/// Accepted without effect: every app with read access gets a refresh token.
pub const OFFLINE: &str = "offline_access";

/// Why an app's request fails.
#[derive(Debug)]
pub enum Failure {
    Refused(Refused),
    Other(Error),
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        Failure::Refused(refused)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Other(error)
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Failure {
        Failure::Other(Error::from(error))
    }
}

/// The address of a front end, as apps name it.
pub fn resource(base_url: &str, audience: Audience) -> String {
    match audience {
        Audience::Api => format!("{base_url}/api/v1"),
        Audience::Mcp => format!("{base_url}/mcp"),
    }
}

/// The requested front end; the API if none is named, or only the service as a whole.
fn audience(base_url: &str, asked: Option<&str>) -> Result<Audience, Refused> {
    let Some(asked) = asked else { return Ok(Audience::Api) };
    if asked.strip_suffix('/').unwrap_or(asked) == base_url {
        return Ok(Audience::Api);
    }
    let named = [Audience::Api, Audience::Mcp].into_iter().find(|audience| resource(base_url, *audience) == asked);
    named.ok_or(Refused::TargetUnknown)
}

fn check_scope(asked: Option<&str>) -> Result<(), Refused> {
    let unknown = asked.unwrap_or_default().split(' ').find(|word| !word.is_empty() && ![SCOPE, OFFLINE].contains(word));
    match unknown {
        None => Ok(()),
        Some(_) => Err(Refused::ScopeUnknown),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "https://drip.example";

    #[test]
    fn a_resource_must_be_the_exact_address_of_the_api_or_the_connector() {
        assert_eq!(audience(BASE, None), Ok(Audience::Api));
        assert_eq!(audience(BASE, Some("https://drip.example")), Ok(Audience::Api));
        assert_eq!(audience(BASE, Some("https://drip.example/")), Ok(Audience::Api));
        assert_eq!(audience(BASE, Some("https://drip.example/api/v1")), Ok(Audience::Api));
        assert_eq!(audience(BASE, Some("https://drip.example/mcp")), Ok(Audience::Mcp));
        for other in [
            "https://evil.example",
            "https://drip.example/mcp#x",
            "/mcp",
            "https://drip.example/mcp/x",
            "HTTPS://drip.example/mcp",
        ] {
            assert_eq!(audience(BASE, Some(other)).map_err(|refused| refused.code()), Err("invalid_target"), "{other}");
        }
    }

    #[test]
    fn only_the_read_scope_can_be_requested() {
        for scope in [None, Some(""), Some("read"), Some("read offline_access"), Some("offline_access")] {
            assert_eq!(check_scope(scope), Ok(()));
        }
        for scope in ["write", "read write", "READ", "read\tx"] {
            assert_eq!(check_scope(Some(scope)).map_err(|refused| refused.code()), Err("invalid_scope"), "{scope}");
        }
    }
}
