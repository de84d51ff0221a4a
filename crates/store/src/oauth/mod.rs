//! Third-party apps.

pub mod blocked_clients;
pub mod clients;
pub mod codes;
pub mod consents;
pub mod device_codes;
pub mod grants;
pub mod refresh_tokens;

use crate::table::words;

words! {
    /// The front end that an app's token is valid for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Audience {
        Api = "api",
        Mcp = "mcp",
    }
}
