//! The authorization server: each test uses HTTP against the real service on a real database.
//! The numbers in comments are those of the list of attacks in docs/reports/ATTACKS.md.
#![allow(clippy::unwrap_used)] // in a test the panic is the report

mod authorize;
mod codes;
mod consent;
mod devices;
mod documents;
mod flow;
mod grants;
mod metadata;
mod metadata_addresses;
mod refresh;
mod register;
mod removed;
mod tokens;
