//! What third-party apps and models send.

use app::oauth::{Way, redirects, shown_host, shown_origin};
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderValue};
use reqwest::Url;
use serde_json::{Map, Value, json};
use server::mcp::arguments::{Parameter, request};
use server::oauth::document::{address, content};
use server::oauth::sender;
use serving::fields;
use serving::params::last_segment;

/// A redirect address leads to the host we show, as browsers parse it.
pub fn redirect(named: &str, asked: &str) {
    let url = Url::parse(named).ok();
    let host = url.as_ref().and_then(Url::host_str);
    match redirects::way(named) {
        None => {}
        Some(Way::Web) => {
            assert!(url.as_ref().is_some_and(|url| url.scheme() == "https" && url.username().is_empty()));
            assert_eq!(Some(shown_host(named).as_str()), host);
        }
        Some(Way::Loopback) => {
            assert!(host.is_some_and(|host| ["127.0.0.1", "[::1]", "localhost"].contains(&host)), "{named}");
        }
        Some(Way::Private) => assert!(host.is_none() || !["http", "https"].contains(&url.as_ref().map_or("", Url::scheme))),
    }
    if redirects::way(named).is_some() {
        let origin = shown_origin(named);
        assert!(
            origin.len() > 1 && !origin.contains([' ', ';', ',', '\'', '"']),
            "it would say more in a content policy: {origin}"
        );
        assert!(redirects::matches(named, named));
    }
    if redirects::way(named).is_some() && redirects::matches(named, asked) && named != asked {
        let without_port = |address: &str| {
            let mut url = Url::parse(address).ok()?;
            url.set_port(None).ok()?;
            Some(url)
        };
        assert_eq!(redirects::way(asked), Some(Way::Loopback));
        assert_eq!(without_port(named), without_port(asked));
    }
}

/// Id and secret of an Authorization header; none if it is malformed.
pub fn basic(value: &[u8]) -> Option<(String, String)> {
    let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_bytes(value).ok()?)]);
    sender::basic(&headers).ok().flatten()
}

/// An address, its Cache-Control header, and its content.
pub fn description(named: &str, caching: &str, body: &[u8]) {
    if let Ok(url) = address::checked(named) {
        assert_eq!((url.as_str(), url.scheme(), url.fragment(), url.password()), (named, "https", None, None));
        assert!(url.username().is_empty() && url.host_str().is_some_and(|host| !host.is_empty()));
    }
    let Ok(document) = content::read(named, "application/json", caching, body) else { return };
    let metadata: Value = serde_json::from_slice(body).unwrap_or_default();
    assert_eq!(metadata["client_id"], named);
    assert_eq!(metadata["client_name"], document.name);
    assert_eq!(metadata["redirect_uris"].as_array().map(Vec::len), Some(document.redirect_uris.len()));
    assert!(metadata["client_secret"].is_null(), "a secret that everybody can read");
}

/// Arguments become one path and one query, and read back from there as they were given.
pub fn arguments(text: &[u8]) {
    let Ok(given) = serde_json::from_slice::<Map<String, Value>>(text) else { return };
    let described = [("symbol", "path", "string"), ("days", "query", "integer"), ("portfolio", "query", "string")];
    let parameter = |(name, place, kind): (&str, &str, &str)| {
        Parameter::parse(&json!({"name": name, "in": place, "required": place == "path", "schema": {"type": kind}}))
    };
    let parameters: Vec<Parameter> = described.into_iter().filter_map(parameter).collect();
    let Ok(made) = request("/stocks/{symbol}", &parameters, &given) else { return };
    let (path, query) = made.split_once('?').unwrap_or((&made, ""));
    assert_eq!(path.matches('/').count(), 2, "{path}");
    let text = |name: &str| given.get(name).and_then(Value::as_str);
    let symbol = text("symbol").map(str::trim).filter(|symbol| !symbol.is_empty() && !symbol.contains('\0'));
    assert_eq!(last_segment(path).ok().as_deref(), symbol);
    if text("portfolio").is_none_or(|name| !name.contains('\0')) {
        let pairs = fields::pairs(query).unwrap_or_default();
        let found = |name: &str| pairs.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
        assert_eq!(found("portfolio"), text("portfolio"));
        assert_eq!(found("days").map(str::to_owned), given.get("days").filter(|days| !days.is_null()).map(Value::to_string));
    }
}
