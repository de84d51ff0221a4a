//! Third-party apps on a real database, with every time limit and quota tested exactly.

#![allow(clippy::unwrap_used)]

mod authorize;
mod client_metadata;
mod clients;
mod codes;
mod devices;
mod redirects;
mod refresh;
mod register;
mod revoke;
mod world;
