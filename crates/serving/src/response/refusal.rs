//! Adds our error body to the empty responses that hyper sends for requests it cannot parse.

use axum::http::StatusCode;

use crate::response::error::ApiError;
use crate::response::etag;
use crate::response::page_headers;

/// The complete response, if `written` is exactly a refusal by hyper. Ours all have an ETag.
pub fn instead_of(written: &[u8], in_request_line: bool) -> Option<Vec<u8>> {
    if !(written.starts_with(b"HTTP/1.1 4") || written.starts_with(b"HTTP/1.0 4")) {
        return None;
    }
    let head = std::str::from_utf8(written).ok()?.strip_suffix("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status = StatusCode::from_bytes(lines.next()?.as_bytes().get(9..12)?).ok()?;
    let fields: Vec<&str> = lines.collect();
    let has = |name: &str| fields.iter().any(|field| field.starts_with(name));
    if !has("content-length: 0") || has("etag:") || fields.contains(&"") {
        return None;
    }
    // hyper stops at the size of its buffer before it knows what was too long.
    let too_long = status == StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE && in_request_line;
    let status = if too_long { StatusCode::URI_TOO_LONG } else { status };
    let kept = fields.into_iter().filter(|field| field.starts_with("date:"));
    Some(answer(&ApiError::of_status(status), kept))
}

/// An error as bytes, if there is no request to answer. It closes the connection.
pub fn answer<'a>(error: &ApiError, fields: impl Iterator<Item = &'a str>) -> Vec<u8> {
    let body = error.body();
    let tag = etag::tag(&body);
    let mut bytes = format!("HTTP/1.1 {}\r\nconnection: close\r\n", error.status).into_bytes();
    for field in fields {
        bytes.extend_from_slice(field.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    // A browser may show it, whatever the path.
    bytes.extend(page_headers::lines().flat_map(String::into_bytes));
    bytes.extend_from_slice(format!("content-type: application/json\r\ncontent-length: {}\r\netag: ", body.len()).as_bytes());
    bytes.extend_from_slice(tag.as_bytes());
    bytes.extend_from_slice(b"\r\n\r\n");
    bytes.extend_from_slice(&body);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const HYPER: &str =
        "HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\ndate: now\r\n\r\n";

    #[test]
    fn a_bare_error_response_gets_a_body_and_keeps_its_date() {
        let text = String::from_utf8(instead_of(HYPER.as_bytes(), false).unwrap()).unwrap();
        assert!(text.starts_with("HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ndate: now\r\n"), "{text}");
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("content-length: {}\r\netag: W/\"", body.len())), "{head}");
        for line in
            ["content-security-policy: default-src 'none'; ", "x-content-type-options: nosniff", "cache-control: no-store"]
        {
            assert!(head.contains(line), "{line} in {head}");
        }
        assert!(body.starts_with(r#"{"error":{"code":"bad_request","#), "{body}");
    }

    #[test]
    fn an_endless_request_target_is_answered_414() {
        assert!(instead_of(HYPER.as_bytes(), true).unwrap().starts_with(b"HTTP/1.1 414 URI Too Long\r\n"));
    }

    #[test]
    fn any_other_response_is_left_unchanged() {
        let ours = HYPER.replace("date: now", "etag: W/\"x\"");
        let with_body = format!("{HYPER}x");
        let fine = HYPER.replace("431 Request Header Fields Too Large", "200 OK");
        for written in [ours.as_str(), &with_body, &fine, "", "HTTP/1.1 4", "{\"x\":1}"] {
            assert_eq!(instead_of(written.as_bytes(), false), None, "{written}");
        }
    }
}
