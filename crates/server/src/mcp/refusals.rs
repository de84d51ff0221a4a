//! Turns rmcp's plain-text refusals into JSON-RPC errors.

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;

/// `sent_as_json` tells a wrong content type from a malformed message. rmcp uses the same status for both.
pub fn reworded(response: Response, sent_as_json: bool, body: &[u8]) -> Response {
    let (status, sentence) = match response.status() {
        StatusCode::UNSUPPORTED_MEDIA_TYPE if sent_as_json => {
            (StatusCode::BAD_REQUEST, "The body is not a JSON-RPC message. Send one JSON object, not a batch.")
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => (response.status(), "Send the message with `Content-Type: application/json`."),
        StatusCode::NOT_ACCEPTABLE => (response.status(), "Send `Accept: application/json, text/event-stream`."),
        _ => return response,
    };
    (status, [(CONTENT_TYPE, HeaderValue::from_static("application/json"))], error(sentence, body).to_string()).into_response()
}

/// With the id of the request, if there is one. The protocol does not allow null.
fn error(sentence: &str, body: &[u8]) -> Value {
    let sent: Result<Value, _> = serde_json::from_slice(body);
    let code = if sent.is_ok() { INVALID_REQUEST } else { PARSE_ERROR };
    let mut message = json!({ "jsonrpc": "2.0", "error": { "code": code, "message": sentence } });
    if let Some(id) = sent.ok().and_then(|sent| sent.get("id").cloned()).filter(|id| id.is_string() || id.is_i64()) {
        message["id"] = id;
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(status: StatusCode) -> Response {
        (status, "a bare sentence").into_response()
    }

    #[test]
    fn a_malformed_message_is_a_bad_request_and_a_wrong_content_type_is_not() {
        let status = |sent_as_json| reworded(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE), sent_as_json, b"[]").status();
        assert_eq!(status(true), StatusCode::BAD_REQUEST);
        assert_eq!(status(false), StatusCode::UNSUPPORTED_MEDIA_TYPE);
        assert_eq!(reworded(refused(StatusCode::NOT_FOUND), true, b"[]").headers()[CONTENT_TYPE], "text/plain; charset=utf-8");
    }

    #[test]
    fn a_parse_error_differs_from_an_invalid_request() {
        assert_eq!(error("", b"{")["error"]["code"], PARSE_ERROR);
        assert_eq!(error("", br#"[{"id":1}]"#)["error"]["code"], INVALID_REQUEST);
    }

    #[test]
    fn an_error_carries_the_id_of_its_request_and_never_null() {
        assert_eq!(error("", br#"{"id":"a","method":7}"#)["id"], "a");
        assert_eq!(error("", br#"{"id":7}"#)["id"], 7);
        for body in [&b"{"[..], br#"[{"id":1}]"#, br#"{"id":null}"#, br#"{"id":[1]}"#] {
            assert!(error("", body).get("id").is_none());
        }
    }
}
