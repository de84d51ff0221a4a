//! How people and programs prove who they are: passwords, codes, sessions and tokens.

pub(crate) mod codes;
pub mod feeds;
pub(crate) mod last_used;
pub mod passwords;
pub mod resets;
pub mod secret;
pub mod sessions;
pub mod sign_in;
pub(crate) mod throttle;
pub mod tokens;
pub mod totp;
pub mod unlocking;
