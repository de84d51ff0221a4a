//! For `fuzz/` only: properties of the code that reads app descriptions.

use serde_json::Value;

use super::{address, content};

/// An address, its Cache-Control header, and its content.
pub fn description(address: &str, caching: &str, body: &[u8]) {
    if let Ok(url) = address::checked(address) {
        assert_eq!((url.as_str(), url.scheme(), url.fragment(), url.password()), (address, "https", None, None));
        assert!(url.username().is_empty() && url.host_str().is_some_and(|host| !host.is_empty()));
    }
    let Ok(document) = content::read(address, "application/json", caching, body) else { return };
    let metadata: Value = serde_json::from_slice(body).unwrap_or_default();
    assert_eq!(metadata["client_id"], address);
    assert_eq!(metadata["client_name"], document.name);
    assert_eq!(metadata["redirect_uris"].as_array().map(Vec::len), Some(document.redirect_uris.len()));
    assert!(metadata["client_secret"].is_null(), "a secret that everybody can read");
}
