//! The socket as hyper sees it, without the requests that the lane answers.

use std::cell::RefCell;
use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use app::TimeWaited;
use axum::http::Extensions;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::front_end::PendingCheck;
use super::lane::{FastLane, Found};
use super::response::Outgoing;
use crate::connection::idle::Answered;
use crate::connection::io::{ConnectionIo, Stream};

/// What was learned about a request before hyper got it, by its number, counted from 1. Clones share it.
#[derive(Clone, Default)]
pub struct Learned(Arc<Mutex<(u64, Extensions)>>);

impl Learned {
    /// Empty for any other request.
    pub fn take(&self, number: u64) -> Extensions {
        let (of, learned) = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        if of == number { learned } else { Extensions::new() }
    }

    fn put(&self, number: u64, learned: Extensions) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (number, learned);
    }
}

/// A request whose caller is being checked.
struct Awaited {
    since: Instant,
    check: PendingCheck,
    spent: TimeWaited,
    request: Vec<u8>,
}

pub struct LaneSocket<S> {
    io: ConnectionIo<S>,
    peer: IpAddr,
    lane: Option<FastLane>,
    answered: Answered,
    learned: Learned,
    awaited: Option<Awaited>,
}

impl<S: Stream> LaneSocket<S> {
    /// What it did without hyper, it reports in `answered` and `learned`.
    pub fn new(io: ConnectionIo<S>, peer: IpAddr, lane: Option<FastLane>, answered: Answered, learned: Learned) -> Self {
        Self { io, peer, lane, answered, learned, awaited: None }
    }

    /// Sends the response to the awaited request. Ready with the request if hyper has to answer it.
    fn poll_awaited(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Option<Vec<u8>>>> {
        let Some(Awaited { check, spent, .. }) = &mut self.awaited else { return Poll::Ready(Ok(None)) };
        let (scope, mut learned) = ready!(spent.counting_now(|| check.as_mut().poll(context)));
        let (Some(Awaited { since, spent, request, .. }), Some(lane)) = (self.awaited.take(), &self.lane) else {
            return Poll::Ready(Ok(None));
        };
        if let Some(outgoing) = scope.and_then(|scope| lane.find_checked(scope, &request, self.peer)) {
            self.send(context, &outgoing, since)?;
            return Poll::Ready(Ok(None));
        }
        learned.insert(spent);
        self.learned.put(self.io.heads() + 1, learned);
        Poll::Ready(Ok(Some(request)))
    }

    fn send(&mut self, context: &mut Context<'_>, outgoing: &Outgoing, since: Instant) -> io::Result<()> {
        thread_local! {
            static HEAD: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
        }
        self.answered.now();
        if let Some(lane) = &self.lane {
            lane.sent(outgoing, since.elapsed());
        }
        HEAD.with_borrow_mut(|head| {
            head.clear();
            let body = outgoing.write(head);
            self.io.send(context, head, body)
        })
    }
}

impl<S: Stream> AsyncRead for LaneSocket<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = buffer.filled().len();
        loop {
            if let Some(request) = ready!(this.poll_awaited(context))? {
                // It came from a buffer of this size.
                buffer.put_slice(&request);
                this.io.received(&request);
                return Poll::Ready(Ok(()));
            }
            ready!(this.io.poll_receive(context, buffer))?;
            let (received, since) = (&buffer.filled()[before..], Instant::now());
            let lane = this.lane.as_ref().filter(|_| this.io.is_idle());
            match lane.and_then(|lane| lane.find(received, this.peer)) {
                Some(Found::Response(outgoing)) => this.send(context, &outgoing, since)?,
                Some(Found::Pending(check)) => {
                    this.awaited = Some(Awaited { since, check, spent: TimeWaited::default(), request: received.to_vec() });
                }
                None => {
                    this.io.received(received);
                    return Poll::Ready(Ok(()));
                }
            }
            buffer.set_filled(before);
        }
    }
}

impl<S: Stream> AsyncWrite for LaneSocket<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.io.poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.io.poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.io.poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_awaited(context))?;
        self.io.poll_shutdown(context)
    }
}
