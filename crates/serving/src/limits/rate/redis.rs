//! The Redis that several nodes count in. It may fail at any time, and no request waits long for it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use messages::Language;
use messages::errors::Redis as Texts;
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, ErrorKind, RedisError, RedisResult, TlsCertificates};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// How long a request waits for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(150);
/// How long connecting may take; requests do not wait that long.
const CONNECT_TIME: Duration = Duration::from_secs(1);
/// Pause after a failure; then one request tries again.
const REST_MS: u64 = 1_000;

pub struct Redis {
    client: Client,
    connection: Mutex<Option<MultiplexedConnection>>,
    connecting: tokio::sync::Mutex<()>,
    start: Instant,
    /// End of the pause in milliseconds since the start; 0 while Redis answers.
    rests_until: AtomicU64,
    fallbacks: AtomicU64,
}

/// Why Redis cannot be used as it is set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RedisSetupError {
    #[error("malformed address of Redis")]
    MalformedUrl,

    #[error("a certificate authority for Redis, but no TLS")]
    AuthorityWithoutTls,

    #[error("{} cannot be read: {cause}", path.display())]
    AuthorityUnreadable { path: PathBuf, cause: String },

    #[error("no usable certificates in {}", path.display())]
    AuthorityMalformed { path: PathBuf },
}

impl RedisSetupError {
    /// For the operator.
    pub fn text(&self, language: &'static Language) -> String {
        let texts = Texts::load(language);
        match self {
            RedisSetupError::MalformedUrl => texts.malformed_url.to_owned(),
            RedisSetupError::AuthorityWithoutTls => texts.authority_without_tls.to_owned(),
            RedisSetupError::AuthorityUnreadable { path, cause } => {
                texts.authority_unreadable(path.display().to_string(), cause.as_str())
            }
            RedisSetupError::AuthorityMalformed { path } => texts.authority_malformed(path.display().to_string()),
        }
    }
}

impl Redis {
    /// Connects when it is first asked. The error says nothing of the address, which holds a password.
    pub fn at(url: &str) -> Result<Arc<Redis>, RedisSetupError> {
        let known = url.starts_with("redis://") || url.starts_with("rediss://");
        let client = known.then(|| Client::open(url).ok()).flatten();
        let client = client.ok_or(RedisSetupError::MalformedUrl)?;
        Ok(Redis::with(client))
    }

    /// The same over TLS, with a server that the certificates in a PEM file vouch for, and nobody else.
    pub fn trusting(url: &str, ca: &Path) -> Result<Arc<Redis>, RedisSetupError> {
        if !url.starts_with("rediss://") {
            return Err(RedisSetupError::AuthorityWithoutTls);
        }
        let certificates = TlsCertificates { client_tls: None, root_cert: Some(authorities(ca)?) };
        let client = Client::build_with_tls(url, certificates);
        let client = client.map_err(|_| RedisSetupError::MalformedUrl)?;
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

    /// Whether Redis is in use at the moment.
    pub async fn answers(self: &Arc<Self>) -> bool {
        self.ask(|mut connection| async move { redis::cmd("PING").exec_async(&mut connection).await }).await.is_some()
    }

    /// Requests that this node counted on its own.
    pub fn fallbacks(&self) -> u64 {
        self.fallbacks.load(Ordering::Relaxed)
    }

    pub(super) fn fell_back(&self) {
        self.fallbacks.fetch_add(1, Ordering::Relaxed);
    }

    /// `None` if there is no answer, or during the pause after a failure.
    pub(super) async fn ask<T, A>(self: &Arc<Self>, question: impl FnOnce(MultiplexedConnection) -> A) -> Option<T>
    where
        A: Future<Output = RedisResult<T>>,
    {
        if !self.may_be_asked() {
            return None;
        }
        let answer = tokio::time::timeout(ANSWER_TIMEOUT, async { question(self.connected().await?).await });
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
        // In a separate task: a connection that takes too long for this request is ready for the next.
        let this = self.clone();
        let task = tokio::spawn(async move { this.connect().await });
        task.await.unwrap_or_else(|_| Err(RedisError::from((ErrorKind::Io, "the connection was dropped"))))
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
            tracing::info!("Redis is reachable again; the nodes share their rate limits");
        }
    }

    fn is_away(&self, error: &RedisError) {
        *self.connection() = None;
        if self.rests_until.swap(self.now_ms() + REST_MS, Ordering::Relaxed) == 0 {
            tracing::warn!(%error, "Redis is unreachable; this node limits requests on its own");
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
fn authorities(path: &Path) -> Result<Vec<u8>, RedisSetupError> {
    let unreadable =
        |cause: std::io::Error| RedisSetupError::AuthorityUnreadable { path: path.to_owned(), cause: cause.to_string() };
    let malformed = || RedisSetupError::AuthorityMalformed { path: path.to_owned() };
    let text = std::fs::read(path).map_err(unreadable)?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&text) {
        let certificate = certificate.map_err(|_| malformed())?;
        roots.add(certificate).map_err(|_| malformed())?;
    }
    if roots.is_empty() { Err(malformed()) } else { Ok(text) }
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
    fn a_malformed_url_is_refused_without_repeating_its_password() {
        for url in ["http://u:PASSWORD@host", "redis+unix:///x?pass=PASSWORD", "redis://u:PASSWORD@host/many", "PASSWORD", ""] {
            let error = Redis::at(url).unwrap_err();
            assert_eq!(error, RedisSetupError::MalformedUrl, "{url}");
        }
        let redis = Redis::at("rediss://u:PASSWORD@redis.example:6380/3").unwrap();
        assert!(!format!("{redis:?}").contains("PASSWORD"));
    }
}
