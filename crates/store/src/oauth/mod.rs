//! Third-party apps.

pub mod blocked_clients;
pub mod clients;
pub mod codes;
pub mod consents;
pub mod device_codes;
pub mod grants;
pub mod refresh_tokens;

/// The front end that an app's token is valid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Audience {
    Api,
    Mcp,
}

impl Audience {
    pub fn word(self) -> &'static str {
        match self {
            Audience::Api => "api",
            Audience::Mcp => "mcp",
        }
    }

    pub(crate) fn of_word(word: &str) -> Option<Audience> {
        [Audience::Api, Audience::Mcp].into_iter().find(|audience| audience.word() == word)
    }
}
