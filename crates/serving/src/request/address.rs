//! The client of a request, for rate limits: the peer, or the client given by a trusted proxy.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::Request;
use axum::http::header::FORWARDED;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue};
use ipnet::IpNet;
use uuid::Uuid;

use crate::fast_lane::Head;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The other end of the connection, in the extensions of every request.
#[derive(Debug, Clone, Copy)]
pub struct PeerAddress(pub SocketAddr);

/// Where the request comes from.
pub fn client_ip(parts: &Parts, trusted: &[IpNet]) -> IpAddr {
    client(peer(&parts.extensions), &parts.headers, trusted)
}

pub fn client_ip_of_request(request: &Request, trusted: &[IpNet]) -> IpAddr {
    client(peer(request.extensions()), request.headers(), trusted)
}

/// For a request that is not parsed further.
pub fn client_ip_of_head(peer: IpAddr, head: &Head<'_>, trusted: &[IpNet]) -> IpAddr {
    let named = |name: HeaderName| head.all(name).collect();
    client_of(peer, trusted, || hops(named(X_FORWARDED_FOR), named(FORWARDED)))
}

pub fn peer(extensions: &Extensions) -> IpAddr {
    extensions.get::<PeerAddress>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0.ip())
}

/// The right-most hop that is not a trusted proxy: the client may have forged everything left of it.
/// Headers are only used if the peer is trusted; if a hop is not an address, the peer is the client.
pub fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let named = |name: HeaderName| headers.get_all(name).iter().map(HeaderValue::as_bytes).collect();
    client_of(peer, trusted, || hops(named(X_FORWARDED_FOR), named(FORWARDED)))
}

fn client_of(peer: IpAddr, trusted: &[IpNet], hops: impl FnOnce() -> Option<Vec<Option<IpAddr>>>) -> IpAddr {
    let peer = peer.to_canonical();
    let is_trusted = |address: &IpAddr| trusted.iter().any(|net| net.contains(address));
    if trusted.is_empty() || !is_trusted(&peer) {
        return peer;
    }
    let Some(hops) = hops() else { return peer };
    let mut furthest = peer;
    for hop in hops.iter().rev() {
        let Some(address) = hop else { return peer };
        furthest = *address;
        if !is_trusted(address) {
            break;
        }
    }
    furthest
}

/// The key of rate limits. An IPv6 customer has a whole /64, so that is one client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClientKey(u64);

impl ClientKey {
    /// For limits per user instead of per address. The two never share a count.
    pub fn of_user(user_id: Uuid) -> Self {
        let (high, low) = user_id.as_u64_pair();
        Self(high ^ low)
    }

    pub fn to_bytes(self) -> [u8; 8] {
        self.0.to_be_bytes()
    }
}

impl From<IpAddr> for ClientKey {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            // ff00::/8 is multicast: no client can send from there, so the two never collide.
            IpAddr::V4(v4) => Self(0xffff_ffff_0000_0000 | u64::from(v4.to_bits())),
            IpAddr::V6(v6) => Self(prefix(v6)),
        }
    }
}

fn prefix(address: Ipv6Addr) -> u64 {
    let [a, b, c, d, ..] = address.segments();
    [a, b, c, d].into_iter().fold(0, |bits, segment| bits << 16 | u64::from(segment))
}

/// The hops in order, `None` for one that is not an address. `None` if there is no such header.
fn hops(x_forwarded_for: Vec<&[u8]>, forwarded: Vec<&[u8]>) -> Option<Vec<Option<IpAddr>>> {
    let read = |lines: &[&[u8]], address: fn(&str) -> Option<IpAddr>| {
        let hops = lines.iter().flat_map(|line| line.split(|&byte| byte == b','));
        hops.map(|hop| text(hop).and_then(address)).collect()
    };
    match (&*x_forwarded_for, &*forwarded) {
        ([], []) => None,
        ([], forwarded) => Some(read(forwarded, for_pair)),
        (named, _) => Some(read(named, host)),
    }
}

fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().map(str::trim)
}

/// `for="[2001:db8::1]:4711";proto=https`
fn for_pair(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    let value = value.trim();
    host(value.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(value))
}

/// An address, with or without brackets and port.
fn host(value: &str) -> Option<IpAddr> {
    let bare = || value.parse::<IpAddr>().ok();
    let bracketed = || value.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(IpAddr::from);
    let with_port = || value.parse::<SocketAddr>().ok().map(|socket| socket.ip());
    bare().or_else(bracketed).or_else(with_port).map(|address| address.to_canonical())
}
