//! A certificate and its key, from two PEM files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;
use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use rustls::{Error, InconsistentKeys};
use x509_cert::Certificate;
use x509_cert::der::Decode;

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
    /// The error names the file and what to do.
    pub fn read(&self) -> Result<Pair, String> {
        self.contents().pair(self)
    }

    pub(super) fn contents(&self) -> Contents {
        Contents { certificate: content(&self.certificate), key: content(&self.key) }
    }
}

fn content(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path)
        .map_err(|error| format!("{} cannot be read ({error}); is it there, and may the service read it?", path.display()))
}

/// The contents of the files.
pub(super) struct Contents {
    certificate: Result<Vec<u8>, String>,
    key: Result<Vec<u8>, String>,
}

impl Contents {
    /// Hash of the contents.
    pub fn hash(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for part in [&self.certificate, &self.key] {
            let (kind, bytes) = match part {
                Ok(bytes) => (0, bytes.as_slice()),
                Err(reason) => (1, reason.as_bytes()),
            };
            hasher.update(&[kind]).update(&(bytes.len() as u64).to_be_bytes()).update(bytes);
        }
        hasher.finalize()
    }

    pub fn pair(self, files: &Files) -> Result<Pair, String> {
        let (certificate, key) = (files.certificate.display(), files.key.display());
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&self.certificate?).collect();
        let Some(first) = chain.as_ref().ok().and_then(|chain| chain.first()) else {
            return Err(format!(
                "{certificate} holds no certificate in PEM form; DRIPLINE_TLS_CERT names the file of the certificate and of those \
                 that vouch for it, such as fullchain.pem"
            ));
        };
        let ends = ends(first)
            .ok_or_else(|| format!("the first certificate in {certificate} cannot be understood; have it made anew"))?;
        let private = PrivateKeyDer::from_pem_slice(&self.key?).map_err(|_| {
            format!(
                "{key} holds no private key in PEM form without a password; DRIPLINE_TLS_KEY names the file of the certificate's key, \
                 such as privkey.pem"
            )
        })?;
        let certified = CertifiedKey::from_der(chain.unwrap_or_default(), private, &aws_lc_rs::default_provider());
        let certified = certified.map_err(|error| match error {
            Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => format!(
                "the key in {key} is not that of the first certificate in {certificate}; name the two files that were made together"
            ),
            _ => format!("the key in {key} is of a kind that cannot be used; have one made for ECDSA (P-256) or RSA (2048 bits)"),
        })?;
        Ok(Pair { key: Arc::new(certified), ends })
    }
}

fn ends(certificate: &CertificateDer<'_>) -> Option<Timestamp> {
    let end = Certificate::from_der(certificate).ok()?.tbs_certificate.validity.not_after;
    Timestamp::from_second(i64::try_from(end.to_unix_duration().as_secs()).ok()?).ok()
}
