//! The Redis in which several nodes count together. It may go at any time, and no request waits long to find out.

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, ErrorKind, RedisError, RedisResult, TlsCertificates};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// What a request waits for an answer, at most.
const PATIENCE: Duration = Duration::from_millis(150);
/// For a connection with all its handshakes; requests do not wait for all of it.
const CONNECT_TIME: Duration = Duration::from_secs(1);
/// So long it is left alone when it did not answer; then one request tries.
const REST_MS: u64 = 1_000;

pub struct Redis {
    client: Client,
    connection: Mutex<Option<MultiplexedConnection>>,
    connecting: tokio::sync::Mutex<()>,
    start: Instant,
    /// In milliseconds since the start; 0 while it answers.
    rests_until: AtomicU64,
    fallbacks: AtomicU64,
}

impl Redis {
    /// Connects when it is first asked. The error says nothing of the address, which holds a password.
    pub fn at(url: &str) -> Result<Arc<Redis>, &'static str> {
        let known = url.starts_with("redis://") || url.starts_with("rediss://");
        let client = known.then(|| Client::open(url).ok()).flatten();
        let client = client.ok_or("is not an address such as redis://user:password@host:6379/0, or rediss:// with TLS")?;
        Ok(Redis::with(client))
    }

    /// The same over TLS, with a server that the certificates in a PEM file vouch for, and nobody else.
    pub fn trusting(url: &str, ca: &Path) -> Result<Arc<Redis>, String> {
        if !url.starts_with("rediss://") {
            return Err("DRIPLINE_REDIS_CA is for TLS: write rediss:// in DRIPLINE_REDIS_URL, or unset it".to_owned());
        }
        let certificates = TlsCertificates { client_tls: None, root_cert: Some(authorities(ca)?) };
        let client = Client::build_with_tls(url, certificates);
        let client = client.map_err(|_| "DRIPLINE_REDIS_URL is not an address such as rediss://user:password@host:6380/0")?;
        Ok(Redis::with(client))
    }

    fn with(client: Client) -> Arc<Redis> {
        Arc::new(Redis {
            client,
            connection: Mutex::default(),
            connecting: tokio::sync::Mutex::default(),
            start: Instant::now(),
            rests_until: AtomicU64::new(0),
            fallbacks: AtomicU64::new(0),
        })
    }

    /// Whether it counts at the moment.
    pub async fn answers(self: &Arc<Self>) -> bool {
        self.ask(|mut connection| async move { redis::cmd("PING").exec_async(&mut connection).await }).await.is_some()
    }

    /// Requests that this node judged on its own.
    pub fn fallbacks(&self) -> u64 {
        self.fallbacks.load(Ordering::Relaxed)
    }

    pub(super) fn fell_back(&self) {
        self.fallbacks.fetch_add(1, Ordering::Relaxed);
    }

    /// `None` when there is no answer, or nobody asks because there was none a moment ago.
    pub(super) async fn ask<T, A>(self: &Arc<Self>, question: impl FnOnce(MultiplexedConnection) -> A) -> Option<T>
    where
        A: Future<Output = RedisResult<T>>,
    {
        if !self.may_be_asked() {
            return None;
        }
        let answer = tokio::time::timeout(PATIENCE, async { question(self.connected().await?).await });
        match answer.await.unwrap_or_else(|_| Err(RedisError::from((ErrorKind::Io, "no answer in time")))) {
            Ok(answer) => {
                self.is_here();
                Some(answer)
            }
            Err(error) => {
                self.is_away(&error);
                None
            }
        }
    }

    async fn connected(self: &Arc<Self>) -> RedisResult<MultiplexedConnection> {
        if let Some(connection) = &*self.connection() {
            return Ok(connection.clone());
        }
        // In a task of its own: what takes longer than a request waits for is there for the next.
        let this = self.clone();
        let task = tokio::spawn(async move { this.connect().await });
        task.await.unwrap_or_else(|_| Err(RedisError::from((ErrorKind::Io, "the connection was given up"))))
    }

    async fn connect(&self) -> RedisResult<MultiplexedConnection> {
        let _turn = self.connecting.lock().await;
        if let Some(connection) = &*self.connection() {
            return Ok(connection.clone());
        }
        let config =
            AsyncConnectionConfig::new().set_connection_timeout(Some(CONNECT_TIME)).set_response_timeout(Some(CONNECT_TIME));
        let connection = self.client.get_multiplexed_async_connection_with_config(&config).await?;
        *self.connection() = Some(connection.clone());
        Ok(connection)
    }

    fn may_be_asked(&self) -> bool {
        let (until, now) = (self.rests_until.load(Ordering::Relaxed), self.now_ms());
        let takes_turn = || self.rests_until.compare_exchange(until, now + REST_MS, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        until == 0 || now >= until && takes_turn()
    }

    fn is_here(&self) {
        if self.rests_until.load(Ordering::Relaxed) != 0 && self.rests_until.swap(0, Ordering::Relaxed) != 0 {
            tracing::info!("Redis is back; the nodes limit together again");
        }
    }

    fn is_away(&self, error: &RedisError) {
        *self.connection() = None;
        if self.rests_until.swap(self.now_ms() + REST_MS, Ordering::Relaxed) == 0 {
            tracing::warn!(%error, "Redis is away; this node limits on its own");
        }
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX - REST_MS)
    }

    fn connection(&self) -> MutexGuard<'_, Option<MultiplexedConnection>> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The file, once it is known to hold certificates that can be used.
fn authorities(path: &Path) -> Result<Vec<u8>, String> {
    let wrong = |what: &str| format!("the file {} of DRIPLINE_REDIS_CA {what}", path.display());
    let text = std::fs::read(path).map_err(|error| wrong(&format!("cannot be read: {error}")))?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&text) {
        let certificate = certificate.map_err(|_| wrong("is not a PEM file of certificates"))?;
        roots.add(certificate).map_err(|_| wrong("holds a certificate that cannot be used"))?;
    }
    if roots.is_empty() { Err(wrong("holds no certificate in PEM")) } else { Ok(text) }
}

impl fmt::Debug for Redis {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Redis").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_redis_address_is_reported_without_its_password() {
        for url in ["http://u:PASSWORD@host", "redis+unix:///x?pass=PASSWORD", "redis://u:PASSWORD@host/many", "PASSWORD", ""] {
            let error = Redis::at(url).unwrap_err();
            assert!(error.contains("rediss://") && !error.contains("PASSWORD"), "{url}: {error}");
        }
        let redis = Redis::at("rediss://u:PASSWORD@redis.example:6380/3").unwrap();
        assert!(!format!("{redis:?}").contains("PASSWORD"));
    }
}
