//! A connection with its deadlines: closes clients that are late with a head or do not read their response, gives hyper's own
//! refusals a body, and lets a client that is still sending read its response before the connection closes.

use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

use super::deadline::Deadline;
use super::framing::Framing;
use super::limits::Limits;
use crate::request_metrics::RequestMetrics;
use crate::response::error::ApiError;
use crate::response::refusal;

/// A client must read at least this much of a response, or send this much of a body, within its time limit.
const PROGRESS_BYTES: usize = 16 << 10;
/// Closing a socket with unread input resets it, and the client may lose the response. So we read the rest for this long.
const LINGER: Duration = Duration::from_secs(1);

/// A connection, encrypted or not.
pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin + 'static {
    /// Writes as much as possible without waiting; [`io::ErrorKind::WouldBlock`] if nothing can be written.
    fn write_now(&mut self, context: &mut Context<'_>, pieces: &[IoSlice<'_>]) -> io::Result<usize>;
}

impl Stream for TcpStream {
    fn write_now(&mut self, _: &mut Context<'_>, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        self.try_write_vectored(pieces)
    }
}

impl Stream for TlsStream<TcpStream> {
    fn write_now(&mut self, context: &mut Context<'_>, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        match Pin::new(self).poll_write_vectored(context, pieces) {
            Poll::Ready(written) => written,
            Poll::Pending => Err(io::ErrorKind::WouldBlock.into()),
        }
    }
}

pub struct ConnectionIo<S> {
    stream: S,
    peer: IpAddr,
    request_metrics: Arc<RequestMetrics>,
    framing: Framing,
    limits: Limits,
    head: Deadline,
    body: Deadline,
    arrived_bytes: usize,
    stall: Deadline,
    taken_bytes: usize,
    /// The unsent rest of a response that hyper did not write: head, then body.
    unsent: (Vec<u8>, Bytes),
    /// Whether encrypted data may still be buffered.
    unpushed: bool,
    /// Whether hyper may still have bytes for the client.
    unflushed: bool,
    refused: bool,
    /// Whether the client got a time-out response. Nothing follows it.
    late: bool,
    input_ended: bool,
    linger: Deadline,
}

impl<S: Stream> ConnectionIo<S> {
    pub fn new(stream: S, peer: IpAddr, request_metrics: Arc<RequestMetrics>, framing: Framing, limits: Limits) -> Self {
        let mut head = Deadline::default();
        head.arm(limits.head);
        let (body, stall, linger) = (Deadline::default(), Deadline::default(), Deadline::default());
        Self {
            stream,
            peer,
            request_metrics,
            framing,
            limits,
            head,
            body,
            arrived_bytes: 0,
            stall,
            taken_bytes: 0,
            unsent: Default::default(),
            unpushed: false,
            unflushed: false,
            refused: false,
            late: false,
            input_ended: false,
            linger,
        }
    }

    pub fn received(&mut self, bytes: &[u8]) {
        self.input_ended |= bytes.is_empty();
        self.framing.advance(bytes);
        match (self.framing.is_in_head(), self.head.is_armed()) {
            (true, false) => self.head.arm(self.limits.head),
            // Empty lines do not start a request.
            (false, true) if self.framing.heads() > 0 => self.head.disarm(),
            _ => {}
        }
        if self.body.is_armed() {
            self.arrived_bytes += bytes.len();
            if !self.framing.is_in_body() {
                self.body.disarm();
            } else if self.arrived_bytes >= PROGRESS_BYTES {
                self.arrived_bytes = 0;
                self.body.arm(self.limits.body);
            }
        }
    }

    /// Whether the client was too slow to send.
    fn is_late(&mut self, context: &mut Context<'_>) -> bool {
        let in_body = self.framing.is_in_body();
        if in_body && !self.body.is_armed() {
            self.arrived_bytes = 0;
            self.body.arm(self.limits.body);
        }
        let head_is_late = self.head.has_passed(context);
        self.late = head_is_late || in_body && self.body.has_passed(context);
        if self.late && (in_body && !self.unflushed || self.framing.is_in_head()) {
            let bytes = refusal::answer(&ApiError::request_timeout(), std::iter::empty());
            // If it does not fit the socket's buffer, the client is not reading.
            let _ = self.stream.write_now(context, &[IoSlice::new(&bytes)]);
        }
        self.late
    }

    fn written(&mut self, context: &mut Context<'_>, result: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &result {
            Poll::Ready(Ok(bytes)) => self.progressed(*bytes),
            Poll::Ready(Err(_)) => {}
            Poll::Pending if self.is_stalled(context) => return Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => {}
        }
        result
    }

    /// Whether the client was too slow to receive.
    fn is_stalled(&mut self, context: &mut Context<'_>) -> bool {
        if !self.stall.is_armed() {
            self.taken_bytes = 0;
            self.stall.arm(self.limits.stall);
        }
        self.stall.has_passed(context)
    }

    /// Sends encrypted data to the client.
    fn poll_push(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let pushed = Pin::new(&mut self.stream).poll_flush(context);
        match pushed.is_pending() && self.is_stalled(context) {
            true => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            false => pushed,
        }
    }

    fn progressed(&mut self, bytes: usize) {
        self.taken_bytes = self.taken_bytes.saturating_add(bytes);
        if self.stall.is_armed() && self.taken_bytes >= PROGRESS_BYTES {
            self.taken_bytes = 0;
            self.stall.arm(self.limits.stall);
        }
        if self.framing.is_in_head() {
            // The next request arrives while this one is answered: its time starts when we read again.
            self.head.arm(self.limits.head);
        }
    }

    /// Number of requests that hyper received.
    pub fn heads(&self) -> u64 {
        self.framing.heads()
    }

    /// Whether hyper has received and answered all of its requests.
    pub fn is_idle(&self) -> bool {
        self.framing.is_between_requests() && !self.unflushed
    }

    /// Reads without following the bytes; call [`ConnectionIo::received`] with those that hyper gets.
    pub fn poll_receive(&mut self, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_unsent(context))?;
        match Pin::new(&mut self.stream).poll_read(context, buffer) {
            Poll::Pending if self.is_late(context) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            other => other,
        }
    }

    /// Sends a response to a request that hyper does not get.
    pub fn send(&mut self, context: &mut Context<'_>, head: &[u8], mut body: Bytes) -> io::Result<()> {
        self.head.disarm();
        self.unpushed = true;
        let sent = match self.stream.write_now(context, &[IoSlice::new(head), IoSlice::new(&body)]) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
            sent => sent?,
        };
        let of_head = sent.min(head.len());
        body.advance(sent - of_head);
        self.unsent.0.extend_from_slice(&head[of_head..]);
        self.unsent.1 = body;
        Ok(())
    }

    fn poll_unsent(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.unsent.0.is_empty() || !self.unsent.1.is_empty() {
            let pieces = [IoSlice::new(&self.unsent.0), IoSlice::new(&self.unsent.1)];
            let result = Pin::new(&mut self.stream).poll_write_vectored(context, &pieces);
            let bytes = ready!(self.written(context, result))?;
            let of_head = bytes.min(self.unsent.0.len());
            self.unsent.0.drain(..of_head);
            self.unsent.1.advance(bytes - of_head);
            self.unpushed = true;
        }
        if self.unpushed {
            ready!(self.poll_push(context))?;
            self.unpushed = false;
            self.stall.disarm();
        }
        Poll::Ready(Ok(()))
    }

    fn begin_write(&mut self) -> io::Result<()> {
        self.unflushed = true;
        if self.late { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }

    fn replaced(&mut self, written: &[u8]) -> bool {
        match refusal::instead_of(written, self.framing.is_in_request_line()) {
            Some(bytes) => {
                self.unsent.0.extend(bytes);
                self.refused = true;
                self.request_metrics.broken(self.peer);
                true
            }
            None => false,
        }
    }

    fn poll_linger(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut space = [0; 4096];
        while !self.linger.has_passed(context) {
            let mut buffer = ReadBuf::new(&mut space);
            match ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => {}
                _ => break,
            }
        }
        Poll::Ready(Ok(()))
    }

    pub fn poll_write(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.begin_write()?;
        if self.replaced(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(context, result)
    }

    pub fn poll_write_vectored(&mut self, context: &mut Context<'_>, pieces: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        self.begin_write()?;
        if let [only] = pieces
            && self.replaced(only)
        {
            return Poll::Ready(Ok(only.len()));
        }
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.written(context, result)
    }

    pub fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    pub fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_unsent(context))?;
        ready!(self.poll_push(context))?;
        // hyper flushes when it has written everything: from here on, nothing is expected from the client.
        self.unflushed = false;
        self.stall.disarm();
        Poll::Ready(Ok(()))
    }

    pub fn poll_shutdown(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_unsent(context))?;
        if !self.linger.is_armed() {
            let shut = Pin::new(&mut self.stream).poll_shutdown(context);
            if shut.is_pending() && self.is_stalled(context) {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            ready!(shut)?;
            if self.input_ended || !(self.refused || self.framing.is_unfinished()) {
                return Poll::Ready(Ok(()));
            }
            self.linger.arm(LINGER);
        }
        self.poll_linger(context)
    }
}
