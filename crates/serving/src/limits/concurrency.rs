//! Limits how many requests run at once, so that they are answered fast. A request that waits for its body is not counted: slow
//! senders take no permit from others.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

/// Clones share the permits.
#[derive(Clone)]
pub struct ConcurrencyLimit {
    permits: usize,
    free: Arc<Semaphore>,
}

/// The permit of one request, until it is dropped.
pub enum Admission<'a> {
    /// For paths that are always served.
    Beside,
    Held(#[allow(dead_code, reason = "it is held")] SemaphorePermit<'a>),
    Shared(#[allow(dead_code, reason = "it is held")] Shared),
}

type Shared = Arc<Mutex<Option<OwnedSemaphorePermit>>>;

impl ConcurrencyLimit {
    pub fn of(permits: usize) -> ConcurrencyLimit {
        ConcurrencyLimit { permits, free: Arc::new(Semaphore::new(permits)) }
    }

    pub fn is_full(&self) -> bool {
        self.free.available_permits() == 0
    }

    /// Permits in use, and all permits.
    pub fn taken(&self) -> (usize, usize) {
        (self.permits.saturating_sub(self.free.available_permits()), self.permits)
    }

    /// Whether more than one request is running.
    pub fn is_shared(&self) -> bool {
        self.free.available_permits() + 1 < self.permits
    }

    /// None when all permits are taken.
    pub fn enter(&self, request: &mut Request) -> Option<Admission<'_>> {
        if request.body().is_end_stream() {
            return self.free.try_acquire().ok().map(Admission::Held);
        }
        let permit = self.free.clone().try_acquire_owned().ok()?;
        let admission = Arc::new(Mutex::new(Some(permit)));
        let body = std::mem::take(request.body_mut());
        *request.body_mut() = Body::new(Awaited { body, admission: admission.clone(), free: self.free.clone() });
        Some(Admission::Shared(admission))
    }
}

/// A body that releases its request's permit while waiting for data.
struct Awaited {
    body: Body,
    admission: Shared,
    free: Arc<Semaphore>,
}

impl HttpBody for Awaited {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        let mut admission = self.admission.lock().unwrap_or_else(PoisonError::into_inner);
        match frame.is_pending() {
            true => *admission = None,
            // It was admitted before, so it continues even if the limit is reached now.
            false if admission.is_none() => *admission = self.free.clone().try_acquire_owned().ok(),
            false => {}
        }
        drop(admission);
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
