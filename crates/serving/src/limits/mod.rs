//! How much one client, and all of them together, may ask.

pub mod concurrency;
pub mod connections;
pub mod rate;
