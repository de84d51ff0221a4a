//! Accepts connections and serves HTTP/1.1 on them, with a limit on everything a client could hold on to.

mod deadline;
pub mod framing;
pub(super) mod idle;
pub(super) mod io;
pub(super) mod limits;

use std::cell::Cell;
use std::convert::Infallible;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use bytes::Bytes;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::fast_lane::{LaneSocket, Learned};
use crate::limits::connections::{ConnectionLimit, ConnectionSlot};
use crate::request::address::PeerAddress;
use crate::request::validation::Ambiguous;
use crate::site::Site;
use crate::tls::Tls;
use framing::{AmbiguousHead, Framing};
use idle::{Answered, IdleTimer};
use io::{ConnectionIo, Stream};

pub use limits::Limits;

/// Far above what we accept, so that our own limits apply first; also the most memory one connection can use.
const BUFFER_BYTES_MAX: usize = 64 << 10;
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves until `shutdown` ends, then stops accepting and gives running requests the grace period.
pub async fn serve(listener: TcpListener, site: Site, limits: Limits, shutdown: impl Future<Output = ()>) {
    let speak = |stream, seat: Seated| talk(stream, seat.peer, seat.site, seat.limits, seat.stopping);
    serve_by(listener, site, limits, shutdown, speak).await;
}

/// The same over HTTPS. Plain HTTP requests are redirected to `base_url`.
pub async fn serve_encrypted(
    listener: TcpListener,
    (tls, base_url): (Tls, String),
    site: Site,
    limits: Limits,
    shutdown: impl Future<Output = ()>,
) {
    let base_url: Arc<str> = base_url.into();
    let speak = |stream, seat: Seated| {
        let (tls, base_url) = (tls.clone(), base_url.clone());
        async move {
            if let Some(stream) = tls.agreed(stream, &base_url, seat.limits.handshake).await {
                talk(stream, seat.peer, seat.site, seat.limits, seat.stopping).await;
            }
        }
    };
    serve_by(listener, site, limits, shutdown, speak).await;
}

/// What each connection needs.
struct Seated {
    peer: SocketAddr,
    site: Site,
    limits: Limits,
    stopping: watch::Receiver<()>,
}

async fn serve_by<S: Future<Output = ()> + Send + 'static>(
    listener: TcpListener,
    site: Site,
    limits: Limits,
    shutdown: impl Future<Output = ()>,
    speak: impl Fn(TcpStream, Seated) -> S,
) {
    hurry(&listener, limits.stall);
    let (stop, stopping) = watch::channel(());
    let connection_limit = ConnectionLimit::of(&limits, site.request_metrics().connections.clone());
    let mut connections = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    loop {
        tokio::select! {
            () = &mut shutdown => break,
            Some(_) = connections.join_next() => {}
            (stream, peer, seat) = accept(&listener, &connection_limit) => {
                let seated = Seated { peer, site: site.clone(), limits: limits.clone(), stopping: stopping.clone() };
                let spoken = speak(stream, seated);
                connections.spawn(async move {
                    spoken.await;
                    drop(seat);
                });
            }
        }
    }
    drop((listener, stop));
    let all_ended = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(limits.grace, all_ended).await.is_err() {
        tracing::warn!("some requests did not end in time and were cut off");
    }
}

/// Data in the system's send buffer is out of our control: a client that does not read it would keep the connection until it
/// times out. Connections inherit this option from their listener.
#[cfg(target_os = "linux")]
fn hurry(listener: &TcpListener, stall: Duration) {
    if let Err(error) = socket2::SockRef::from(listener).set_tcp_user_timeout(Some(stall)) {
        tracing::warn!(%error, "clients that take nothing of what was sent are waited for as long as the system does");
    }
}

#[cfg(not(target_os = "linux"))]
fn hurry(_: &TcpListener, _: Duration) {}

/// Waits for a permit first; further connections stay in the kernel's queue.
async fn accept(listener: &TcpListener, connection_limit: &ConnectionLimit) -> (TcpStream, SocketAddr, ConnectionSlot) {
    let mut place = connection_limit.acquire().await;
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => match connection_limit.claim(place, peer.ip()) {
                Some(seat) => {
                    if let Err(error) = stream.set_nodelay(true) {
                        tracing::debug!(%error, "cannot turn off Nagle's algorithm");
                    }
                    return (stream, peer, seat);
                }
                None => {
                    tracing::debug!("a client has too many connections; one more was closed");
                    drop(stream);
                    place = connection_limit.acquire().await;
                }
            },
            Err(error) if is_of_the_client(&error) => {}
            Err(error) => {
                // Most likely out of file descriptors, until connections close.
                tracing::warn!(%error, "cannot accept connections at the moment");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn is_of_the_client(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::ConnectionRefused)
}

async fn talk<S: Stream>(stream: S, peer: SocketAddr, site: Site, limits: Limits, mut stopping: watch::Receiver<()>) {
    let idle = limits.idle;
    let ambiguous = AmbiguousHead::default();
    let answered = Answered::default();
    let learned = Learned::default();
    let framing = Framing::new(ambiguous.clone());
    let io = ConnectionIo::new(stream, peer.ip(), site.request_metrics().clone(), framing, limits);
    let socket = LaneSocket::new(io, peer.ip(), site.fast_lane(), answered.clone(), learned.clone());
    let heads = Cell::new(0);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        heads.set(heads.get() + 1);
        request.extensions_mut().insert(PeerAddress(peer));
        request.extensions_mut().extend(learned.take(heads.get()));
        if ambiguous.is(heads.get()) {
            request.extensions_mut().insert(Ambiguous);
        }
        answer(site.clone(), request)
    });
    let served = http1::Builder::new()
        .timer(IdleTimer::of(answered))
        .header_read_timeout(idle)
        .half_close(true)
        .max_buf_size(BUFFER_BYTES_MAX)
        .serve_connection(TokioIo::new(socket), service);
    let mut served = pin!(served);
    let result = tokio::select! {
        biased;
        result = served.as_mut() => result,
        _ = stopping.changed() => {
            served.as_mut().graceful_shutdown();
            served.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(%error, "a connection ended early");
    }
}

/// A response sent before the whole body was read closes the connection, and says so: otherwise the client would send the next request
/// on a connection that is being closed.
async fn answer(site: Site, request: hyper::Request<Incoming>) -> Result<Response, Infallible> {
    if request.body().is_end_stream() {
        return Ok(site.answer(request.map(|_| Body::empty())).await);
    }
    let read = Arc::new(AtomicBool::new(false));
    let mut response = site.answer(request.map(|body| Body::new(Watched { body, read: read.clone() }))).await;
    if !read.load(Ordering::Relaxed) {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response)
}

/// A body that records whether it was read to its end.
struct Watched {
    body: Incoming,
    read: Arc<AtomicBool>,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if matches!(frame, Poll::Ready(None)) || self.body.is_end_stream() {
            self.read.store(true, Ordering::Relaxed);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
