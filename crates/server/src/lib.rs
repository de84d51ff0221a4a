//! The only HTTP. `http` is the plumbing, `api` the JSON API, `metrics` for those who watch the service.

pub mod api;
pub mod http;
pub mod metrics;
