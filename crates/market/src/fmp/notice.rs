//! Messages in place of data: errors in several forms, with several status codes.

use serde::de::DeserializeOwned;

use crate::fault::{Denial, Fault, Offer};
use crate::http_client::Response;

/// Every answer with data is a list.
pub(super) fn rows<T: DeserializeOwned>(response: &Response) -> Result<Vec<T>, Fault> {
    let is_list = response.bytes.trim_ascii_start().first() == Some(&b'[');
    if !(is_list && response.status.is_success())
        && let Some(fault) = complaint(response)
    {
        return Err(fault);
    }
    response.success()?.json()
}

/// The row of one symbol; an empty list means that there is no such symbol.
pub(super) fn first<T: DeserializeOwned>(response: &Response) -> Result<T, Fault> {
    rows(response)?.into_iter().next().ok_or(Fault::Unknown)
}

fn complaint(response: &Response) -> Option<Fault> {
    let text = String::from_utf8_lossy(&response.bytes[..response.bytes.len().min(2000)]).to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if says(&["limit reach"]) {
        return Some(Fault::Throttled(None));
    }
    if says(&["invalid api key"]) || response.status.as_u16() == 401 {
        return Some(Fault::Denied(Denial::Key { setting: "DRIPLINE_FMP_KEY".to_owned() }));
    }
    // Not a failure of the provider: one request may be refused while others succeed.
    if response.status.as_u16() == 402 || says(&["premium", "exclusive endpoint", "special endpoint", "subscription"]) {
        return Some(Fault::Unsupported(Offer::Plan));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::StatusCode;
    use reqwest::header::HeaderMap;

    fn response(status: u16, text: &str) -> Response {
        Response { status: StatusCode::from_u16(status).unwrap(), headers: HeaderMap::new(), bytes: text.to_owned().into() }
    }

    #[test]
    fn error_answers_become_the_right_fault() {
        let read = |status, text: &str| rows::<serde_json::Value>(&response(status, text)).unwrap_err();
        let limit = r#"{"Error Message": "Limit Reach . Please upgrade your plan or visit our documentation"}"#;
        assert_eq!(read(200, limit), Fault::Throttled(None));
        assert_eq!(read(403, limit), Fault::Throttled(None));
        assert!(matches!(read(401, "{}"), Fault::Denied(_)));
        assert!(matches!(read(200, r#"{"Error Message": "Invalid API KEY. Feel free to create one."}"#), Fault::Denied(_)));
        assert!(matches!(read(403, r#"{"Error Message": "Invalid API KEY."}"#), Fault::Denied(_)));
        assert!(matches!(read(402, "Premium Query Parameter"), Fault::Unsupported(_)));
        assert!(matches!(read(402, "[]"), Fault::Unsupported(_)));
        assert!(matches!(
            read(403, r#"{"Error Message": "Exclusive Endpoint : not under your current subscription"}"#),
            Fault::Unsupported(_)
        ));
        assert_eq!(read(404, "[]"), Fault::Unknown);
        assert!(matches!(read(200, "<!doctype html>"), Fault::Malformed(_)));
        assert!(matches!(read(200, r#"{"Error Message": "something else"}"#), Fault::Malformed(_)));
    }
}
