//! The only HTTP. `http` is the plumbing, `api` the JSON API.

pub mod api;
pub mod http;
