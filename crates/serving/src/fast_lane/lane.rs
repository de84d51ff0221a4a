//! The cache of responses, and which of them answers a request.

use std::hash::Hash;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, IF_NONE_MATCH};
use axum::http::{HeaderValue, Method, Uri};
use axum::response::Response;
use quick_cache::sync::Cache;
use quick_cache::{Equivalent, Weighter};

use super::front_end::{Check, FrontEnd, PendingCheck, Scope};
use super::head::{self, Head};
use super::response::{Outgoing, Stored};
use crate::draining::Draining;
use crate::limits::concurrency::ConcurrencyLimit;
use crate::options::Options;
use crate::request_metrics::{self, RequestMetrics};

/// Responses to longer requests are not stored.
const WORDS_MAX: usize = 512;

#[derive(PartialEq, Eq, Hash)]
struct Key {
    scope: Scope,
    encodings: Box<[u8]>,
    target: Box<str>,
}

/// A borrowed [`Key`].
#[derive(Hash)]
struct Lookup<'a> {
    scope: Scope,
    encodings: &'a [u8],
    target: &'a str,
}

impl<'a> Lookup<'a> {
    /// None if the response to such a request is not stored.
    fn new(scope: Scope, target: &'a str, mut encodings: impl Iterator<Item = &'a [u8]>) -> Option<Lookup<'a>> {
        if scope == Scope::BadToken {
            // Refused before anything else is read, and too short to compress.
            let path = target.split_once('?').map_or(target, |(path, _)| path);
            return Some(Lookup { scope, encodings: &[], target: path });
        }
        let (encodings, None) = (encodings.next().unwrap_or_default(), encodings.next()) else { return None };
        (target.len() + encodings.len() <= WORDS_MAX).then_some(Lookup { scope, encodings, target })
    }

    fn key(&self) -> Key {
        Key { scope: self.scope, encodings: self.encodings.into(), target: self.target.into() }
    }
}

impl Equivalent<Key> for Lookup<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        (self.scope, self.encodings, self.target) == (key.scope, &*key.encodings, &*key.target)
    }
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<Key, Arc<Stored>> for ByBytes {
    fn weight(&self, key: &Key, stored: &Arc<Stored>) -> u64 {
        (key.target.len() + stored.bytes() + 500) as u64
    }
}

/// Clones share everything.
#[derive(Clone)]
pub struct FastLane(Arc<Inner>);

struct Inner {
    front_end: Arc<dyn FrontEnd>,
    responses: Cache<Key, Arc<Stored>, ByBytes>,
    draining: Draining,
    request_metrics: Arc<RequestMetrics>,
    concurrency_limit: ConcurrencyLimit,
}

pub enum Found {
    Response(Outgoing),
    /// Call [`FastLane::find_checked`] with the result.
    Pending(PendingCheck),
}

impl FastLane {
    /// None if there is no front end whose responses it may send.
    pub fn new(options: &Options, concurrency_limit: ConcurrencyLimit) -> Option<FastLane> {
        let front_end = options.front_end.clone()?;
        let responses = Cache::with_weighter(2_000, options.cached_bytes_max, ByBytes);
        let (draining, request_metrics) = (options.draining.clone(), options.request_metrics.clone());
        Some(FastLane(Arc::new(Inner { front_end, responses, draining, request_metrics, concurrency_limit })))
    }

    /// A response to these bytes, if they are a complete, ordinary request.
    pub fn find(&self, bytes: &[u8], peer: IpAddr) -> Option<Found> {
        let Inner { front_end, draining, concurrency_limit, .. } = &*self.0;
        if draining.has_begun() || request_metrics::is_logged() {
            return None;
        }
        let mut fields = head::header_buffer();
        let head = Head::read(bytes, &mut fields)?;
        match front_end.check(&head)? {
            Check::Done(scope) => self.response(scope, &head, peer).map(Found::Response),
            // At the concurrency limit the request is refused before the database look-up.
            Check::Pending(_) if concurrency_limit.is_full() => None,
            Check::Pending(check) => Some(Found::Pending(check)),
        }
    }

    /// The same once the caller is checked.
    pub fn find_checked(&self, scope: Scope, bytes: &[u8], peer: IpAddr) -> Option<Outgoing> {
        self.response(scope, &Head::read(bytes, &mut head::header_buffer())?, peer)
    }

    fn response(&self, scope: Scope, head: &Head<'_>, peer: IpAddr) -> Option<Outgoing> {
        let Inner { front_end, responses, request_metrics, .. } = &*self.0;
        let stored = responses.get(&Lookup::new(scope, head.target, head.all(ACCEPT_ENCODING))?)?;
        let outgoing = Outgoing::new(stored, head.all(IF_NONE_MATCH))?;
        match (scope, outgoing.denied()) {
            // A denial that needs a log line takes the normal path, where the client is known.
            (_, Some(reason)) if request_metrics.denials.is_due(reason) => None,
            (Scope::Public { .. }, _) => Some(outgoing.limited(front_end.count(head, peer)?)),
            _ => Some(outgoing),
        }
    }

    /// Counts a response that was sent.
    pub fn sent(&self, outgoing: &Outgoing, took: Duration) {
        let request_metrics = &self.0.request_metrics;
        request_metrics.answers.finished.fetch_add(1, Ordering::Relaxed);
        if let Some(route) = outgoing.route() {
            route.answered(outgoing.status(), took);
        }
        if let Some(reason) = outgoing.denied() {
            request_metrics.denials.count(reason);
        }
    }

    /// Where the response to a request on the normal path can be stored.
    pub fn entry(&self, request: &Request) -> Option<Entry> {
        let encodings = || request.headers().get_all(ACCEPT_ENCODING).iter().cloned().collect();
        (request.method() == Method::GET).then(|| Entry {
            lane: self.clone(),
            target: request.uri().clone(),
            encodings: encodings(),
        })
    }
}

pub struct Entry {
    lane: FastLane,
    target: Uri,
    encodings: Vec<HeaderValue>,
}

impl Entry {
    /// Stores the finished response, if it has a [`Scope`] in its extensions.
    pub async fn store(self, response: Response) -> Response {
        let (Some(scope), Some(target)) = (response.extensions().get().copied(), self.target.path_and_query()) else {
            return response;
        };
        let encodings = self.encodings.iter().map(HeaderValue::as_bytes);
        let Some(lookup) = Lookup::new(scope, target.as_str(), encodings) else { return response };
        let (stored, response) = Stored::collect(response).await;
        let responses = &self.lane.0.responses;
        // A 304 does not replace a stored body.
        if let Some(stored) = stored.filter(|stored| stored.has_body() || responses.peek(&lookup).is_none()) {
            responses.insert(lookup.key(), Arc::new(stored));
        }
        response
    }
}
