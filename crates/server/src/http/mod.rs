//! What all HTTP responses share: errors, parameters, caching, limits and the connection
//! itself. Nothing here knows about dividends.

pub mod address;
pub mod auth;
mod compression;
mod concurrency_limit;
pub mod connection;
mod connection_io;
mod connection_limit;
mod cors;
mod deadline;
pub mod denials;
mod draining;
pub mod error;
pub mod etag;
pub mod fields;
mod file_body;
mod framing;
#[doc(hidden)]
pub mod fuzzed;
mod head;
mod idle;
pub mod limit;
mod outgoing;
mod page_headers;
pub mod params;
mod refusal;
mod request_metrics;
mod request_validation;
mod response_cache;
pub mod site;
pub mod tls;

pub use address::ClientKey;
pub use auth::{Bearer, Known, NotKnown, bearer};
pub use connection::{Limits, PeerAddress, serve, serve_encrypted};
pub use denials::{Denied, Reason};
pub use draining::Draining;
pub use error::{ApiError, Challenge};
pub use fields::Fields;
pub use file_body::FileBody;
pub use head::Head;
pub use limit::{Decision, Limiter, Redis, RedisSetupError, SharedLimiter};
pub use outgoing::{Outgoing, Written};
pub use params::Query;
pub use request_metrics::{LOG as REQUEST_LOG, RequestMetrics, Route};
pub use response_cache::{CachedResponse, Finished, Found, Lasting, PendingResponse, Place, ResponseCache};
pub use site::{ErrorPages, Failure, Options, Site, Upload, wrap};
