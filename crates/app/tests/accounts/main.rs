//! Accounts on a real database: passwords, sign-in, sessions, second factors, links and the audit log.

#![allow(clippy::unwrap_used)]

mod account_settings;
mod audit;
mod feeds;
mod mail;
mod owner;
mod passwords;
mod resets;
mod second_factor;
mod sessions;
mod sign_in;
mod sign_up;
mod throttling;
mod tokens;
mod world;
