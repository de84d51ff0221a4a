//! The HTTP plumbing through real sockets, with a few routes of its own and no data.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod addresses;
mod answers;
mod caching;
mod client;
mod connection_limits;
mod connections;
mod fast_lane;
mod fuzzed;
mod limits;
mod params;
mod rate_limits;
mod requests;
mod routes;
mod tls;
mod validation;
