//! What all HTTP responses share: errors, parameters, caching, limits and the connection
//! itself. Nothing here knows about dividends.

mod connection;
pub mod denials;
mod draining;
mod fast_lane;
pub mod limits;
mod options;
mod reference;
mod request;
mod request_metrics;
mod response;
mod site;
pub mod tls;

pub use connection::{Limits, framing, serve, serve_encrypted};
pub use denials::{Denied, Reason};
pub use draining::Draining;
pub use fast_lane::{Check, FrontEnd, Head, PendingCheck, Scope, head};
pub use limits::rate::{Decision, Limiter, Redis, RedisSetupError, SharedLimiter};
pub use options::{Options, Upload, concurrency};
pub use reference::resolved;
pub use request::address::{ClientKey, PeerAddress};
pub use request::auth::{Bearer, Counted, Known, NotKnown, bearer};
pub use request::fields::Fields;
pub use request::params::Query;
pub use request::{address, auth, fields, params, validation};
pub use request_metrics::{LOG as REQUEST_LOG, RequestMetrics, Route};
pub use response::compression::EncodedBody;
pub use response::error::{ApiError, Challenge};
pub use response::finish::{ErrorPages, Failure};
pub use response::number::{number, number_text};
pub use response::{error, etag};
pub use site::{Site, wrap};
