//! The limits of a site, and what it works with.

use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;

use super::draining::Draining;
use super::fast_lane::FrontEnd;
use super::request_metrics::RequestMetrics;
use super::response::finish::ErrorPages;

#[derive(Clone)]
pub struct Options {
    /// Maximum length of path and query.
    pub uri_bytes_max: usize,
    pub header_bytes_max: usize,
    pub headers_max: usize,
    pub body_bytes_max: u64,
    pub time_limit: Duration,
    /// Requests that may run at once; one more is refused before anything is looked up.
    pub concurrency_max: usize,
    /// Paths answered even when the concurrency limit is reached, such as a health check.
    pub always_served: Vec<String>,
    /// Paths that accept files.
    pub uploads: Vec<Upload>,
    /// Renders an error outside /api/; none if there are no pages.
    pub error_pages: Option<Arc<dyn ErrorPages>>,
    pub draining: Draining,
    /// Checks callers, so that the fast lane can answer them.
    pub front_end: Option<Arc<dyn FrontEnd>>,
    /// Size of the responses stored for the fast lane.
    pub cached_bytes_max: u64,
    /// Proxies that may name the client and the request.
    pub trusted_proxies: Vec<IpNet>,
    /// Counts requests.
    pub request_metrics: Arc<RequestMetrics>,
}

/// Limits of a path that accepts files.
#[derive(Debug, Clone)]
pub struct Upload {
    pub path: &'static str,
    pub bytes_max: u64,
    pub time_limit: Duration,
}

impl Options {
    pub(super) fn body_bytes_max(&self, path: &str) -> u64 {
        self.upload(path).map_or(self.body_bytes_max, |upload| upload.bytes_max)
    }

    pub(super) fn time_limit(&self, path: &str) -> Duration {
        self.upload(path).map_or(self.time_limit, |upload| upload.time_limit)
    }

    fn upload(&self, path: &str) -> Option<&Upload> {
        self.uploads.iter().find(|upload| upload.path == path)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            uri_bytes_max: 8 << 10,
            header_bytes_max: 16 << 10,
            headers_max: 100,
            body_bytes_max: 64 << 10,
            time_limit: Duration::from_secs(30),
            concurrency_max: concurrency(),
            always_served: Vec::new(),
            uploads: Vec::new(),
            error_pages: None,
            draining: Draining::default(),
            front_end: None,
            cached_bytes_max: 16 << 20,
            trusted_proxies: Vec::new(),
            request_metrics: Arc::default(),
        }
    }
}

/// Each core works on one request at a time, and some wait for the database; more would only queue.
pub fn concurrency() -> usize {
    64 * std::thread::available_parallelism().map_or(1, usize::from)
}
