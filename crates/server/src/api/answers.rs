//! A cache of computed answers, limited by size, keyed by everything they depend on.

use std::sync::atomic::Ordering;

use axum::Extension;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde::Serialize;
use serving::{ApiError, EncodedBody, Scope, etag};

use super::{Api, Reply};

/// Everything an answer depends on. A new version makes a new key, so an outdated answer is never found.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub scope: Scope,
    /// Endpoint and parsed parameters.
    pub request: String,
}

#[derive(Clone)]
struct Answer {
    body: Bytes,
    tag: HeaderValue,
    encoded: EncodedBody,
}

pub(super) struct Answers {
    cache: Cache<Key, Answer, ByBytes>,
}

#[derive(Clone)]
struct ByBytes;

impl Weighter<Key, Answer> for ByBytes {
    fn weight(&self, key: &Key, answer: &Answer) -> u64 {
        // JSON is encoded in a third of its length, or less.
        (key.request.len() + answer.body.len() * 4 / 3 + 200) as u64
    }
}

const BYTES_MAX: u64 = 32 << 20;
/// Room for most answers from the start: growing means copying.
const USUAL_BYTES: usize = 16 << 10;

impl Default for Answers {
    fn default() -> Answers {
        Answers { cache: Cache::with_weighter(4_000, BYTES_MAX, ByBytes) }
    }
}

impl Api {
    /// The cached answer, or a new one; concurrent requests compute it once.
    pub(super) async fn answer<T: Serialize>(&self, key: Key, compute: impl Future<Output = Reply<T>>) -> Reply<Response> {
        match app::wait_for_another(self.shared.answers.cache.get_value_or_guard_async(&key)).await {
            Ok(answer) => {
                self.shared.request_metrics.answers.kept.fetch_add(1, Ordering::Relaxed);
                Ok(answer.into_response())
            }
            // The request that computed it failed, and there is no time left to try again.
            Err(_) if app::is_wait_budget_spent() => Err(ApiError::unavailable(5)),
            Err(place) => {
                let answer = Answer::new(&compute.await?)?;
                self.shared.request_metrics.answers.computed.fetch_add(1, Ordering::Relaxed);
                // Only refused if another request stored it meanwhile.
                drop(place.insert(answer.clone()));
                Ok(answer.into_response())
            }
        }
    }

    /// An answer that depends on more than versions and is not cached.
    pub(super) fn fresh_answer(&self, wire: &impl Serialize) -> Reply<Response> {
        Ok(Answer::new(wire)?.into_response())
    }
}

impl Answer {
    fn new(wire: &impl Serialize) -> Reply<Answer> {
        let mut body = Vec::with_capacity(USUAL_BYTES);
        serde_json::to_writer(&mut body, wire).map_err(|error| {
            tracing::error!(%error, "an answer could not be written");
            ApiError::internal()
        })?;
        // The buffer may be much larger than needed, and the answer is cached.
        let (tag, encoded) = (etag::tag(&body), EncodedBody::default());
        Ok(Answer { body: Bytes::from(body.into_boxed_slice()), tag, encoded })
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let headers = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json")), (header::ETAG, self.tag)];
        (headers, Extension(self.encoded), self.body).into_response()
    }
}
