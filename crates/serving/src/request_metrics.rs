//! Counts requests by route and status, times them, and logs a line each. Only the route is recorded:
//! paths, queries and bodies are private.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use app::times::Times;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::response::Response;
use ipnet::IpNet;

use crate::denials::{Denials, Denied, Reason};
use crate::limits::connections::Connections;
use crate::request::address;

pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// W3C trace context: version, trace id, parent id and flags.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const TRACEPARENT_BYTES: usize = 55;
/// A proxy's ids are not longer.
const ID_BYTES_MAX: usize = 64;

/// The log target of request lines.
pub const LOG: &str = "dripline::request";

/// Whether every request is logged.
pub fn is_logged() -> bool {
    tracing::enabled!(target: LOG, tracing::Level::INFO)
}

/// For requests without a route, or refused before routing.
const NO_ROUTE: &str = "none";

#[derive(Default)]
pub struct RequestMetrics {
    routes: RwLock<HashMap<Key, Arc<Route>>>,
    pub answers: Answers,
    pub denials: Denials,
    pub connections: Arc<Connections>,
}

/// Method and route.
type Key = (&'static str, Arc<str>);

/// The source of a response.
#[derive(Default)]
pub struct Answers {
    /// Sent from the cache as it was.
    pub finished: AtomicU64,
    /// Computed before, with new headers.
    pub kept: AtomicU64,
    pub computed: AtomicU64,
}

/// Counts of one route and method.
pub struct Route {
    pub method: &'static str,
    pub name: Arc<str>,
    pub took: Times,
    /// There are few statuses, and most responses have the first.
    statuses: RwLock<Vec<(StatusCode, AtomicU64)>>,
}

impl RequestMetrics {
    pub fn routes(&self) -> Vec<Arc<Route>> {
        let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<Arc<Route>> = routes.values().cloned().collect();
        all.sort_by(|a, b| (&a.name, a.method).cmp(&(&b.name, b.method)));
        all
    }

    fn route(&self, method: &Method, name: &str) -> Arc<Route> {
        let key: Key = (word(method), Arc::from(name));
        if let Some(route) = self.routes.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return route.clone();
        }
        let mut routes = self.routes.write().unwrap_or_else(PoisonError::into_inner);
        let (method, name) = key.clone();
        routes.entry(key).or_insert_with(|| Arc::new(Route::new(method, name))).clone()
    }

    pub fn begin(&self, request: &mut Request, trusted_proxies: &[IpNet]) -> Running {
        let (named, since) = (Named::default(), Instant::now());
        let client = address::client_ip_of_request(request, trusted_proxies);
        let proxied = trusted_proxies.iter().any(|net| net.contains(&address::peer(request.extensions()).to_canonical()));
        let theirs = request.headers().get(REQUEST_ID).filter(|id| proxied && is_id(id)).cloned();
        let traceparent = request.headers().get(TRACEPARENT).filter(|parent| proxied && is_traceparent(parent)).cloned();
        request.extensions_mut().insert(named.clone());
        Running { id: theirs.unwrap_or_else(fresh_id), method: request.method().clone(), named, client, since, traceparent }
    }

    pub fn end(&self, running: Running, mut response: Response) -> Response {
        let Running { id, method, named, client, since, traceparent } = running;
        let route = self.route(&method, named.0.get().map_or(NO_ROUTE, MatchedPath::as_str));
        let (status, took) = (response.status(), since.elapsed());
        route.answered(status, took);
        tracing::info!(
            target: LOG,
            method = route.method,
            route = &*route.name,
            status = status.as_u16(),
            micros = took.as_micros() as u64,
            client = %network(client),
            traceparent = traceparent.as_ref().and_then(|parent| parent.to_str().ok()),
            "answered"
        );
        if let Some(denied) = response.extensions().get::<Denied>() {
            self.denials.note(*denied, &route.name, network(client));
        }
        if response.status().is_server_error() {
            // So that users can report it to the operator.
            response.headers_mut().insert(REQUEST_ID, id);
        }
        // So that the response can be counted when it is sent again.
        response.extensions_mut().insert(route);
        response
    }

    /// Counts a request that was refused before it was parsed.
    pub fn broken(&self, peer: IpAddr) {
        self.denials.note(Reason::Broken.into(), NO_ROUTE, network(peer));
    }
}

/// Unknown methods count as one, because clients could invent any number of them.
fn word(method: &Method) -> &'static str {
    match *method {
        // HEAD is answered like GET.
        Method::GET | Method::HEAD => "GET",
        Method::POST => "POST",
        Method::OPTIONS => "OPTIONS",
        Method::DELETE => "DELETE",
        Method::PUT => "PUT",
        _ => "other",
    }
}

impl Route {
    fn new(method: &'static str, name: Arc<str>) -> Route {
        Route { method, name, took: Times::default(), statuses: RwLock::default() }
    }

    pub fn answered(&self, status: StatusCode, took: Duration) {
        self.took.note(took);
        self.count(status);
    }

    fn count(&self, status: StatusCode) {
        let counted = |statuses: &[(StatusCode, AtomicU64)]| {
            let found = statuses.iter().find(|(known, _)| *known == status);
            found.map(|(_, count)| count.fetch_add(1, Ordering::Relaxed)).is_some()
        };
        if !counted(&self.statuses.read().unwrap_or_else(PoisonError::into_inner)) {
            let mut statuses = self.statuses.write().unwrap_or_else(PoisonError::into_inner);
            if !counted(&statuses) {
                statuses.push((status, AtomicU64::new(1)));
            }
        }
    }

    pub fn statuses(&self) -> Vec<(StatusCode, u64)> {
        let statuses = self.statuses.read().unwrap_or_else(PoisonError::into_inner);
        statuses.iter().map(|(status, count)| (*status, count.load(Ordering::Relaxed))).collect()
    }
}

/// A running request.
pub struct Running {
    id: HeaderValue,
    method: Method,
    named: Named,
    client: IpAddr,
    since: Instant,
    /// The trace it belongs to, from a trusted proxy.
    traceparent: Option<HeaderValue>,
}

impl Running {
    /// Adds the request's id to every log line about it.
    pub fn span(&self) -> tracing::Span {
        tracing::error_span!("request", id = self.id.to_str().unwrap_or_default())
    }
}

/// The route of a request, once it is known. Clones share it.
#[derive(Clone, Default)]
pub struct Named(Arc<OnceLock<MatchedPath>>);

/// Runs behind the router, where the route is known.
pub async fn name(request: Request) -> Request {
    if let (Some(Named(named)), Some(path)) = (request.extensions().get(), request.extensions().get::<MatchedPath>()) {
        let _ = named.set(path.clone());
    }
    request
}

fn is_id(id: &HeaderValue) -> bool {
    let bytes = id.as_bytes();
    !bytes.is_empty()
        && bytes.len() <= ID_BYTES_MAX
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

/// Only hexadecimal digits and dashes may get into the log.
fn is_traceparent(parent: &HeaderValue) -> bool {
    let bytes = parent.as_bytes();
    bytes.len() == TRACEPARENT_BYTES && bytes.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-'))
}

/// The process and a number in it.
fn fresh_id() -> HeaderValue {
    static PROCESS: LazyLock<u64> = LazyLock::new(|| uuid::Uuid::new_v4().as_u64_pair().0);
    static NUMBER: AtomicU64 = AtomicU64::new(1);
    let id = format!("{:016x}-{}", *PROCESS, NUMBER.fetch_add(1, Ordering::Relaxed));
    HeaderValue::try_from(id).unwrap_or(HeaderValue::from_static("0"))
}

/// The client's network, not its address.
fn network(address: IpAddr) -> IpNet {
    let bits = if address.is_ipv4() { 24 } else { 48 };
    IpNet::new(address, bits).map_or(IpNet::from(address), |net| net.trunc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_logged_as_its_network() {
        for (address, shown) in [("203.0.113.77", "203.0.113.0/24"), ("2001:db8:1:2:3::4", "2001:db8:1::/48")] {
            assert_eq!(network(address.parse().unwrap()).to_string(), shown);
        }
    }

    #[test]
    fn a_request_id_from_a_proxy_is_a_short_word() {
        for (id, fits) in [
            ("a-B_9.z", true),
            ("", false),
            ("a b", false),
            ("{\"level\":", false),
            (&"x".repeat(64), true),
            (&"x".repeat(65), false),
        ] {
            assert_eq!(is_id(&HeaderValue::from_str(id).unwrap()), fits, "{id}");
        }
    }

    #[test]
    fn only_a_valid_traceparent_is_accepted() {
        let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        assert!(is_traceparent(&HeaderValue::from_static(good)));
        for bad in ["", "00", &good[1..], &good.to_uppercase(), &good.replace('-', "\""), &format!("{good}-x")] {
            assert!(!is_traceparent(&HeaderValue::from_str(bad).unwrap()), "{bad}");
        }
    }

    #[test]
    fn statuses_are_counted_by_route() {
        let request_metrics = RequestMetrics::default();
        for (method, name, status) in
            [(Method::GET, "/a", 200), (Method::HEAD, "/a", 304), (Method::GET, "/a", 200), (Method::POST, "/a", 303)]
        {
            request_metrics.route(&method, name).answered(StatusCode::from_u16(status).unwrap(), Duration::from_micros(50));
        }
        let shown: Vec<_> =
            request_metrics.routes().iter().map(|route| (route.method, route.statuses(), route.took.snapshot().0[0])).collect();
        assert_eq!(shown[0], ("GET", vec![(StatusCode::OK, 2), (StatusCode::NOT_MODIFIED, 1)], 3));
        assert_eq!(shown[1], ("POST", vec![(StatusCode::SEE_OTHER, 1)], 1));
    }
}
