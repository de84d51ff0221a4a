//! Certificates for tests.

use std::path::Path;
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore, SupportedProtocolVersion};
use serving::tls::Files;

/// A certificate authority for `localhost` and 127.0.0.1.
pub struct Authority {
    certificate: CertificateDer<'static>,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    #[allow(clippy::new_without_default)] // each is another one
    pub fn new() -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap().der().clone();
        Authority { certificate, issuer: Issuer::new(params, key) }
    }

    /// Its own certificate.
    pub fn pem(&self) -> String {
        pem("CERTIFICATE", &self.certificate)
    }

    /// Writes a new certificate and its key into a folder, replacing those that are there.
    pub fn write(&self, folder: &Path) -> Files {
        self.write_until(folder, (2096, 1, 1))
    }

    /// With an expiry date.
    pub fn write_until(&self, folder: &Path, (year, month, day): (i32, u8, u8)) -> Files {
        let mut params = CertificateParams::new(["localhost", "127.0.0.1"].map(str::to_owned)).unwrap();
        params.not_after = rcgen::date_time_ymd(year, month, day);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let files = Files { certificate: folder.join("cert.pem"), key: folder.join("key.pem") };
        std::fs::write(&files.certificate, pem("CERTIFICATE", certificate.der())).unwrap();
        std::fs::write(&files.key, pem("PRIVATE KEY", &key.serialize_der())).unwrap();
        files
    }

    /// A client that trusts only this authority and offers these TLS versions.
    pub fn client(&self, versions: &[&'static SupportedProtocolVersion], alpn: &[&str]) -> Arc<ClientConfig> {
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.clone()).unwrap();
        let provider = Arc::new(ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_protocol_versions(versions).unwrap();
        let mut config = config.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = alpn.iter().map(|name| name.as_bytes().to_vec()).collect();
        Arc::new(config)
    }
}

pub fn pem(kind: &str, der: &[u8]) -> String {
    let text = BASE64_STANDARD.encode(der);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN {kind}-----\n{}\n-----END {kind}-----\n", lines.join("\n"))
}
