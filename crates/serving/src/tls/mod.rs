//! HTTPS: TLS 1.2 and 1.3, with a certificate that can be replaced while serving.

mod error;
mod pair;
mod plain;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use jiff::Timestamp;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

pub use error::TlsError;
pub use pair::{Files, Pair};

/// HTTP/2 is not served.
const ALPN: &[u8] = b"http/1.1";
/// The first byte of a handshake.
const HANDSHAKE: u8 = 0x16;

/// Clones share the certificate.
#[derive(Clone)]
pub struct Tls {
    files: Files,
    acceptor: TlsAcceptor,
    current: Arc<Current>,
    seen: Arc<Mutex<Seen>>,
}

/// Hash of the files' contents.
struct Seen {
    last: blake3::Hash,
    /// That is served, or was refused.
    served: blake3::Hash,
}

impl Tls {
    /// With the pair that lies in the files.
    pub fn open(files: Files) -> Result<Tls, TlsError> {
        let contents = files.contents();
        let seen = contents.hash();
        let current = Arc::new(Current(RwLock::new(contents.pair(&files)?)));
        // Its suites are ECDHE with AES-GCM and ChaCha20, and no others.
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| TlsError::Setup { cause: error.to_string() })?;
        let mut config = config.with_no_client_auth().with_cert_resolver(current.clone());
        config.alpn_protocols = vec![ALPN.to_vec()];
        let acceptor = TlsAcceptor::from(Arc::new(config));
        Ok(Tls { files, acceptor, current, seen: Arc::new(Mutex::new(Seen { last: seen, served: seen })) })
    }

    /// Reloads changed files and returns whether it did. A change is only used if it was already there at the last check,
    /// because replacing two files takes a moment. An unusable pair is reported once.
    pub fn look(&self) -> Result<bool, TlsError> {
        let contents = self.files.contents();
        let hash = contents.hash();
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = hash != seen.served && hash == seen.last;
        seen.last = hash;
        if !is_new {
            return Ok(false);
        }
        seen.served = hash;
        self.current.replace(contents.pair(&self.files)?);
        Ok(true)
    }

    /// Reloads immediately, on request.
    pub fn reload(&self) -> Result<(), TlsError> {
        let contents = self.files.contents();
        let hash = contents.hash();
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Seen { last: hash, served: hash };
        self.current.replace(contents.pair(&self.files)?);
        Ok(())
    }

    /// When the current certificate expires.
    pub fn ends(&self) -> Timestamp {
        self.current.0.read().unwrap_or_else(PoisonError::into_inner).ends
    }

    /// The encrypted stream after the handshake. None if it fails, takes too long, or the client speaks plain HTTP and
    /// was answered.
    pub(super) async fn agreed(&self, stream: TcpStream, base_url: &str, limit: Duration) -> Option<TlsStream<TcpStream>> {
        let agreed = async {
            let mut first = [0];
            if stream.peek(&mut first).await? != 0 && first[0] != HANDSHAKE {
                return Ok(Err(stream));
            }
            self.acceptor.accept(stream).await.map(Ok)
        };
        match timeout(limit, agreed).await {
            Ok(Ok(Ok(encrypted))) => return Some(encrypted),
            Ok(Ok(Err(stream))) => plain::answer(stream, base_url, limit).await,
            Ok(Err(error)) => tracing::debug!(%error, "a handshake failed"),
            Err(_) => tracing::debug!("a handshake took too long"),
        }
        None
    }
}

/// One certificate for every host name.
struct Current(RwLock<Pair>);

impl Current {
    fn replace(&self, pair: Pair) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = pair;
    }
}

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().unwrap_or_else(PoisonError::into_inner).key.clone())
    }
}

impl fmt::Debug for Current {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Current")
    }
}

#[cfg(test)]
mod tests {
    use rustls::CipherSuite;

    use super::*;

    /// <https://wiki.mozilla.org/Security/Server_Side_TLS>, the intermediate configuration; a new version of the library may not widen it.
    #[test]
    fn only_recommended_cipher_suites_are_offered() {
        let suites: Vec<CipherSuite> = ring::default_provider().cipher_suites.iter().map(|suite| suite.suite()).collect();
        let recommended = [
            CipherSuite::TLS13_AES_128_GCM_SHA256,
            CipherSuite::TLS13_AES_256_GCM_SHA384,
            CipherSuite::TLS13_CHACHA20_POLY1305_SHA256,
            CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
            CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
            CipherSuite::TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
            CipherSuite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            CipherSuite::TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
            CipherSuite::TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ];
        assert!(suites.len() == 9 && suites.iter().all(|suite| recommended.contains(suite)), "{suites:?}");
    }
}
