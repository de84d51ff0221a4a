//! Cached responses: the fast lane. An identical request, with nothing changed since, gets the bytes of the last response.
//!
//! 1. `connection::io` has the bytes of a complete request that begins where the last one ended, and hyper has nothing left to
//!    send. It asks the site before hyper sees them.
//! 2. The site parses them in place ([`Head`]) and asks the [`ResponseCache`], the one trait between the two. The API
//!    implements it: it checks the token, the versions of the data and the rate limit, as for any request, without waiting
//!    ([`CachedResponse::Answer`]) or after a look-up ([`CachedResponse::PendingResponse`]).
//! 3. [`Outgoing`] is the head as it was written before, with a new date and rate limit, and the body. `connection::io` sends
//!    both with one system call.
//!
//! Any doubt leads to the normal path: a head that is not quite ordinary, a full server, a log line to write, a server that
//! stops. There [`ResponseCache::find`] is asked once more, for requests that only hyper can parse, and names a [`Place`] for
//! the response. What was learned on the way travels in the request's extensions. A response is stored if its handler marks it
//! as [`Lasting`].

mod finished;
mod outgoing;

use std::net::IpAddr;
use std::pin::Pin;

use axum::extract::Request;
use axum::http::Extensions;
use axum::response::Response;

use crate::http::request::head::Head;

pub use finished::{Finished, unchanged};
pub use outgoing::{Outgoing, Written};

/// Stores responses and decides whether one is still current.
pub trait ResponseCache: Send + Sync {
    /// A response that needs no waiting. If there is none, call [`ResponseCache::find`].
    fn cached_response(&self, head: &Head<'_>, peer: IpAddr) -> Option<CachedResponse>;

    /// May add its findings to the request's extensions.
    fn find<'a>(&'a self, request: &'a mut Request) -> Pin<Box<dyn Future<Output = Found> + Send + 'a>>;
}

pub enum CachedResponse {
    Answer(Outgoing),
    /// Resolves when the token has been looked up.
    PendingResponse(PendingResponse),
}

/// Without a response, what was learned about the request, for the normal path.
pub type PendingResponse = Pin<Box<dyn Future<Output = Result<Outgoing, Extensions>> + Send>>;

pub enum Found {
    Answer(Response),
    /// And where the response can be stored.
    Not(Option<Box<dyn Place>>),
}

pub trait Place: Send + Sync {
    fn keep(self: Box<Self>, finished: Finished);
}

/// Marks a response that only depends on the request and its cache key.
#[derive(Debug, Clone, Copy)]
pub struct Lasting;
