//! Fetches the description of an app whose id is an address. Anyone can choose the address, so the fetch only goes to
//! public servers, follows no redirects, and is limited in time and size.

pub mod address;
pub mod content;

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use app::oauth::{DescriptionError, Document, Documents};
use reqwest::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE};
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, Response, StatusCode, Url};
use rustls::crypto::ring;
use tokio::sync::{Mutex as AsyncMutex, Semaphore};

const TIME_LIMIT: Duration = Duration::from_secs(3);
const AT_ONCE: usize = 8;
const BYTES_MAX: usize = 5 << 10;
/// Requests that waited for the same address use a result up to this old.
const SHARED_FOR: Duration = Duration::from_secs(5);

type Slot = Arc<AsyncMutex<Option<(Instant, Document)>>>;

pub struct Fetcher {
    /// A service that is only reachable from its own machine may fetch from the address it listens on.
    loopback: Option<IpAddr>,
    roots: Vec<Certificate>,
    room: Semaphore,
    under_way: Mutex<HashMap<String, Slot>>,
}

impl Fetcher {
    /// `loopback` is the service's own address, if only its own machine can reach it.
    pub fn new(loopback: Option<IpAddr>) -> Fetcher {
        Fetcher::trusting(loopback, Vec::new())
    }

    /// With additional certificate authorities.
    pub fn trusting(loopback: Option<IpAddr>, roots: Vec<Certificate>) -> Fetcher {
        Fetcher { loopback, roots, room: Semaphore::new(AT_ONCE), under_way: Mutex::default() }
    }

    async fn fetch_once(&self, address: &str) -> Result<Document, DescriptionError> {
        let url = address::checked(address)?;
        let slot = self.slot(address);
        let mut found = slot.lock().await;
        if let Some((at, document)) = &*found
            && at.elapsed() < SHARED_FOR
        {
            return Ok(document.clone());
        }
        let _permit = self.room.acquire().await.map_err(|_| DescriptionError::Unreachable)?;
        let document = self.get(&url).await?;
        *found = Some((Instant::now(), document.clone()));
        Ok(document)
    }

    fn slot(&self, address: &str) -> Slot {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        under_way.retain(|_, slot| Arc::strong_count(slot) > 1);
        under_way.entry(address.to_owned()).or_default().clone()
    }

    async fn get(&self, url: &Url) -> Result<Document, DescriptionError> {
        let failed = |error: reqwest::Error| {
            tracing::info!(error = %error.without_url(), "the description of an app could not be fetched");
            DescriptionError::Unreachable
        };
        let host = url.host_str().unwrap_or_default();
        let peer = self.resolve(host, url.port_or_known_default().unwrap_or(443)).await?;
        // The one crypto backend of this program; if it is already installed, nothing changes.
        let _ = ring::default_provider().install_default();
        let client = Client::builder()
            .https_only(true)
            .redirect(Policy::none())
            .no_proxy()
            .timeout(TIME_LIMIT)
            .resolve_to_addrs(host, &[peer])
            .tls_certs_merge(self.roots.clone())
            .build()
            .map_err(failed)?;
        let response = client.get(url.clone()).header(ACCEPT, "application/json").send().await.map_err(failed)?;
        if response.status() != StatusCode::OK {
            return Err(DescriptionError::Status);
        }
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        let (kind, caching) = (header(CONTENT_TYPE), header(CACHE_CONTROL));
        let body = body(response).await?;
        content::read(url.as_str(), &kind, &caching, &body)
    }

    /// Resolves the host once and connects to that address, because a second look-up could differ.
    async fn resolve(&self, host: &str, port: u16) -> Result<SocketAddr, DescriptionError> {
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let all: Vec<SocketAddr> = tokio::net::lookup_host((host, port)).await.map(Iterator::collect).unwrap_or_default();
        let own = |ip: IpAddr| self.loopback == Some(ip.to_canonical());
        let allowed = |ip: IpAddr| address::is_public(ip) || self.loopback.is_some() && ip.to_canonical().is_loopback();
        let chosen = all.iter().find(|peer| address::is_public(peer.ip()) || own(peer.ip()));
        match chosen.filter(|_| all.iter().all(|peer| allowed(peer.ip()))) {
            Some(peer) => Ok(*peer),
            None => {
                tracing::info!("the description of an app does not lie on a public server");
                Err(DescriptionError::Unreachable)
            }
        }
    }
}

async fn body(mut response: Response) -> Result<Vec<u8>, DescriptionError> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(|_| DescriptionError::BrokenOff)? {
        body.extend_from_slice(&piece);
        if body.len() > BYTES_MAX {
            return Err(DescriptionError::TooLarge { max_kib: BYTES_MAX >> 10 });
        }
    }
    Ok(body)
}

impl Documents for Fetcher {
    fn fetch<'a>(&'a self, address: &'a str) -> Pin<Box<dyn Future<Output = Result<Document, DescriptionError>> + Send + 'a>> {
        Box::pin(async move {
            let fetched = tokio::time::timeout(TIME_LIMIT, self.fetch_once(address)).await;
            fetched.unwrap_or(Err(DescriptionError::Unreachable))
        })
    }
}
