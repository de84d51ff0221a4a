//! How many requests run at once, so that those that do are answered soon. One that waits for its own body is not counted: whoever sends
//! slowly takes nobody's place.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

pub struct ConcurrencyLimit {
    places: usize,
    free: Arc<Semaphore>,
}

/// Of one request, until it is dropped.
pub enum Place<'a> {
    /// For what is always served.
    Beside,
    Held(#[allow(dead_code, reason = "it is held")] SemaphorePermit<'a>),
    Shared(#[allow(dead_code, reason = "it is held")] Shared),
}

type Shared = Arc<Mutex<Option<OwnedSemaphorePermit>>>;

impl ConcurrencyLimit {
    pub fn of(places: usize) -> ConcurrencyLimit {
        ConcurrencyLimit { places, free: Arc::new(Semaphore::new(places)) }
    }

    pub fn is_full(&self) -> bool {
        self.free.available_permits() == 0
    }

    /// Of all places, how many are taken.
    pub fn taken(&self) -> (usize, usize) {
        (self.places.saturating_sub(self.free.available_permits()), self.places)
    }

    /// Whether more than one is there.
    pub fn is_shared(&self) -> bool {
        self.free.available_permits() + 1 < self.places
    }

    /// None when all places are taken.
    pub fn enter(&self, request: &mut Request) -> Option<Place<'_>> {
        if request.body().is_end_stream() {
            return self.free.try_acquire().ok().map(Place::Held);
        }
        let permit = self.free.clone().try_acquire_owned().ok()?;
        let place = Arc::new(Mutex::new(Some(permit)));
        let body = std::mem::take(request.body_mut());
        *request.body_mut() = Body::new(Awaited { body, place: place.clone(), free: self.free.clone() });
        Some(Place::Shared(place))
    }
}

/// A body that leaves the place of its request while it is waited for.
struct Awaited {
    body: Body,
    place: Shared,
    free: Arc<Semaphore>,
}

impl HttpBody for Awaited {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        match frame.is_pending() {
            true => *place = None,
            // It was let in once, and goes on if there is no place for it now.
            false if place.is_none() => *place = self.free.clone().try_acquire_owned().ok(),
            false => {}
        }
        drop(place);
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
