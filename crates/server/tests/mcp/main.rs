//! The connector: each test uses HTTP against the real service on a real database.
//! Numbers with an N are those of the list of attacks in docs/reports/ATTACKS.md.
#![allow(clippy::unwrap_used)] // in a test the panic is the report

mod access;
mod answers;
mod arguments;
mod body_limits;
#[allow(dead_code)] // the app of the OAuth tests; not every step of it is taken here
#[path = "../oauth/flow.rs"]
mod flow;
mod limits;
mod public;
mod revisions;
mod revocation;
mod talk;
mod transport;
