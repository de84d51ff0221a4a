//! A certificate and its key, from two PEM files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use rustls::{Error, InconsistentKeys};
use x509_cert::Certificate;
use x509_cert::der::Decode;

use super::TlsError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// Followed by its intermediate certificates.
    pub certificate: PathBuf,
    pub key: PathBuf,
}

/// A usable certificate and key.
pub struct Pair {
    pub(super) key: Arc<CertifiedKey>,
    pub ends: Timestamp,
}

impl Files {
    pub fn read(&self) -> Result<Pair, TlsError> {
        self.contents().pair(self)
    }

    pub(super) fn contents(&self) -> Contents {
        Contents { certificate: content(&self.certificate), key: content(&self.key) }
    }
}

fn content(path: &Path) -> Result<Vec<u8>, TlsError> {
    std::fs::read(path).map_err(|error| TlsError::Unreadable { path: path.to_owned(), cause: error.to_string() })
}

/// The contents of the files.
pub(super) struct Contents {
    certificate: Result<Vec<u8>, TlsError>,
    key: Result<Vec<u8>, TlsError>,
}

impl Contents {
    /// Hash of the contents.
    pub fn hash(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for part in [&self.certificate, &self.key] {
            let (kind, bytes) = match part {
                Ok(bytes) => (0, bytes.clone()),
                Err(error) => (1, error.to_string().into_bytes()),
            };
            hasher.update(&[kind]).update(&(bytes.len() as u64).to_be_bytes()).update(&bytes);
        }
        hasher.finalize()
    }

    pub fn pair(self, files: &Files) -> Result<Pair, TlsError> {
        let (certificate, key) = (files.certificate.clone(), files.key.clone());
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&self.certificate?).collect();
        let Some(first) = chain.as_ref().ok().and_then(|chain| chain.first()) else {
            return Err(TlsError::NoCertificate { path: certificate });
        };
        let Some(ends) = ends(first) else { return Err(TlsError::MalformedCertificate { path: certificate }) };
        let private = PrivateKeyDer::from_pem_slice(&self.key?).map_err(|_| TlsError::NoKey { path: key.clone() })?;
        let certified = CertifiedKey::from_der(chain.unwrap_or_default(), private, &ring::default_provider());
        let certified = certified.map_err(|error| match error {
            Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => TlsError::KeyMismatch { key, certificate },
            _ => TlsError::UnsupportedKey { path: key },
        })?;
        Ok(Pair { key: Arc::new(certified), ends })
    }
}

fn ends(certificate: &CertificateDer<'_>) -> Option<Timestamp> {
    let end = Certificate::from_der(certificate).ok()?.tbs_certificate.validity.not_after;
    Timestamp::from_second(i64::try_from(end.to_unix_duration().as_secs()).ok()?).ok()
}
