//! Accounts on a real database: passwords, sign-in, sessions, second factors, links, and what is written down about them.

#![allow(clippy::unwrap_used)]

mod audit;
mod feeds;
mod joining;
mod mailing;
mod own;
mod passwords;
mod resets;
mod second_factor;
mod sessions;
mod sign_in;
mod throttling;
mod tokens;
mod world;
