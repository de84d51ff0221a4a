//! The connector as assistants and strangers meet it: each test goes through HTTP to the real service on a real database.
//! Numbers with an N are those of the list of attacks in docs/SECURITY.md.
#![allow(clippy::unwrap_used)] // in a test the panic is the report

mod answers;
mod arguments;
mod door;
mod eras;
#[allow(dead_code)] // the app of the OAuth tests; not every step of it is taken here
#[path = "../oauth/flow.rs"]
mod flow;
mod limits;
mod revoking;
mod sizes;
mod talk;
mod transport;
