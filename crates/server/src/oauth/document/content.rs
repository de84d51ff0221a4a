//! Parses the description of an app.

use app::oauth::register::DEVICE_GRANT;
use app::oauth::{DescriptionError, Document};
use serde_json::{Map, Value};

pub fn read(address: &str, kind: &str, caching: &str, body: &[u8]) -> Result<Document, DescriptionError> {
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !(kind == "application/json" || kind.ends_with("+json")) {
        return Err(DescriptionError::NotJson);
    }
    let metadata: Map<String, Value> = serde_json::from_slice(body).map_err(|_| DescriptionError::NotAnObject)?;
    let text = |name: &str| metadata.get(name).and_then(Value::as_str);
    if text("client_id") != Some(address) {
        return Err(DescriptionError::OtherClientId);
    }
    if metadata.contains_key("client_secret") || metadata.contains_key("client_secret_expires_at") {
        return Err(DescriptionError::Secret);
    }
    if metadata.get("token_endpoint_auth_method").is_some_and(|method| method != "none") {
        return Err(DescriptionError::AuthMethod);
    }
    let name = text("client_name").ok_or(DescriptionError::NameMissing)?;
    let uris = metadata.get("redirect_uris").and_then(Value::as_array);
    let uris = uris.and_then(|uris| uris.iter().map(|uri| uri.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>());
    let redirect_uris = uris.ok_or(DescriptionError::RedirectsMissing)?;
    let grants = metadata.get("grant_types").and_then(Value::as_array);
    let devices = grants.is_some_and(|grants| grants.iter().any(|grant| grant == DEVICE_GRANT));
    Ok(Document { name: name.to_owned(), redirect_uris, devices, fresh_seconds: fresh_seconds(caching) })
}

fn fresh_seconds(caching: &str) -> Option<i64> {
    let directives = || caching.split(',').map(str::trim);
    if directives().any(|directive| directive.eq_ignore_ascii_case("no-store") || directive.eq_ignore_ascii_case("no-cache")) {
        return None;
    }
    directives().find_map(|directive| directive.strip_prefix("max-age=")?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: &str = "https://app.example/c";

    fn document(more: &str) -> Result<Document, DescriptionError> {
        let body = format!(r#"{{"client_id":"{AT}","client_name":"App","redirect_uris":["https://app.example/cb"]{more}}}"#);
        read(AT, "application/json; charset=utf-8", "public, max-age=600", body.as_bytes())
    }

    #[test]
    fn app_metadata_has_its_own_address_and_redirect_addresses() {
        let expected = Document {
            name: "App".to_owned(),
            redirect_uris: vec!["https://app.example/cb".to_owned()],
            devices: false,
            fresh_seconds: Some(600),
        };
        assert_eq!(document(r#","token_endpoint_auth_method":"none""#), Ok(expected));
    }

    #[test]
    fn any_other_metadata_is_refused() {
        assert!(document(r#","client_secret":"x""#).is_err());
        assert!(document(r#","token_endpoint_auth_method":"client_secret_post""#).is_err());
        let read_as = |kind, body: &str| read(AT, kind, "", body.as_bytes());
        assert!(read_as("text/html", r#"{"client_id":"https://app.example/c","client_name":"A","redirect_uris":[]}"#).is_err());
        assert!(
            read_as("application/json", r#"{"client_id":"https://app.example/other","client_name":"A","redirect_uris":[]}"#)
                .is_err()
        );
        assert!(read_as("application/json", r#"{"client_id":"https://app.example/c","redirect_uris":[]}"#).is_err());
        assert!(
            read_as("application/json", r#"{"client_id":"https://app.example/c","client_name":"A","redirect_uris":[1]}"#)
                .is_err()
        );
        assert!(read_as("application/json", "[]").is_err());
        assert!(read_as("application/json", "{").is_err());
    }
}
