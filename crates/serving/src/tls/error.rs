//! Why a certificate cannot be served.

use std::path::PathBuf;

use messages::Language;
use messages::errors::Tls as Texts;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TlsError {
    #[error("{} cannot be read: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: String },

    #[error("no certificate in {}", path.display())]
    NoCertificate { path: PathBuf },

    #[error("malformed certificate in {}", path.display())]
    MalformedCertificate { path: PathBuf },

    #[error("no private key in {}", path.display())]
    NoKey { path: PathBuf },

    #[error("the key in {} does not match the certificate in {}", key.display(), certificate.display())]
    KeyMismatch { key: PathBuf, certificate: PathBuf },

    #[error("unsupported key in {}", path.display())]
    UnsupportedKey { path: PathBuf },

    #[error("TLS cannot be set up: {cause}")]
    Setup { cause: String },
}

impl TlsError {
    /// For the operator.
    pub fn text(&self, language: &'static Language) -> String {
        let texts = Texts::load(language);
        match self {
            TlsError::Unreadable { path, cause } => texts.unreadable(path.display().to_string(), cause.as_str()),
            TlsError::NoCertificate { path } => texts.no_certificate(path.display().to_string()),
            TlsError::MalformedCertificate { path } => texts.malformed_certificate(path.display().to_string()),
            TlsError::NoKey { path } => texts.no_key(path.display().to_string()),
            TlsError::KeyMismatch { key, certificate } => {
                texts.key_mismatch(key.display().to_string(), certificate.display().to_string())
            }
            TlsError::UnsupportedKey { path } => texts.unsupported_key(path.display().to_string()),
            TlsError::Setup { cause } => texts.setup(cause.as_str()),
        }
    }
}
