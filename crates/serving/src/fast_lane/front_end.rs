//! What the lane needs to know from the front end whose responses it sends.

use std::net::IpAddr;
use std::pin::Pin;

use axum::http::Extensions;
use jiff::civil::Date;
use uuid::Uuid;

use super::head::Head;
use crate::limits::rate::Decision;

pub trait FrontEnd: Send + Sync {
    /// Checks the caller as on the normal path. None if the request has to take it.
    fn check(&self, head: &Head<'_>) -> Option<Check>;

    /// Counts a request without a token. None if it is refused, or if that takes waiting; then it is not counted.
    fn count(&self, head: &Head<'_>, peer: IpAddr) -> Option<Decision>;
}

pub enum Check {
    Done(Scope),
    /// The token has to be looked up.
    Pending(PendingCheck),
}

/// None if the request has to be routed; and what was learned about it, in case it is.
pub type PendingCheck = Pin<Box<dyn Future<Output = (Option<Scope>, Extensions)> + Send>>;

/// What a response depends on besides its request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    User {
        id: Uuid,
        version: i64,
        market: i64,
        day: Date,
    },
    /// The same for everybody.
    Public {
        market: i64,
        tracking: i64,
        day: Date,
    },
    /// Callers with a malformed token: whatever they ask, they are refused alike.
    BadToken,
}
