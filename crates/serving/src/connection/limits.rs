//! What a client may hold on to, and for how long.

use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;

#[derive(Debug, Clone)]
pub struct Limits {
    /// For the first byte of a connection, and for a request head from its first byte on.
    pub head: Duration,
    /// For the TLS handshake.
    pub handshake: Duration,
    /// For a client to send the next part of a body.
    pub body: Duration,
    /// Between two requests.
    pub idle: Duration,
    /// For a client to receive the next part of a response.
    pub stall: Duration,
    pub connections_max: usize,
    /// At least 1. Further connections of the client are closed at once.
    pub connections_per_client_max: usize,
    /// Many clients connect through them, so they have no limit.
    pub proxies: Arc<[IpNet]>,
    /// For running requests, when the server stops.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(5),
            handshake: Duration::from_secs(5),
            body: Duration::from_secs(7),
            idle: Duration::from_secs(75),
            stall: Duration::from_secs(7),
            connections_max: 8192,
            connections_per_client_max: 512,
            proxies: Arc::default(),
            grace: Duration::from_secs(10),
        }
    }
}
