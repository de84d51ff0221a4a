//! Requests of an assistant, in both revisions of the protocol.

use serde_json::{Value, json};
use testkit::{Answer, Service, answer};

use crate::flow::base;

pub const MODERN: &str = "2026-07-28";
pub const LEGACY: &str = "2025-11-25";

/// With these headers in addition to those of JSON, and this body.
pub fn post(service: &Service, token: Option<&str>, headers: &[(&str, &str)], body: &str) -> Answer {
    post_to(service, "/mcp", token, headers, body)
}

fn post_to(service: &Service, path: &str, token: Option<&str>, headers: &[(&str, &str)], body: &str) -> Answer {
    let bearer = token.map(|token| format!("Bearer {token}"));
    let mut all = vec![("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
    all.extend(bearer.as_deref().map(|bearer| ("Authorization", bearer)));
    all.extend(headers);
    answer::send("POST", &format!("{}{path}", base(service)), &all, body.as_bytes())
}

/// A request of the current, stateless revision.
pub fn modern(service: &Service, token: &str, method: &str, params: Value) -> Answer {
    modern_to(service, "/mcp", Some(token), method, params)
}

/// The same to the connector for anybody.
pub fn public(service: &Service, method: &str, params: Value) -> Answer {
    modern_to(service, "/mcp/public", None, method, params)
}

fn modern_to(service: &Service, path: &str, token: Option<&str>, method: &str, params: Value) -> Answer {
    let name = params["name"].as_str().or(params["uri"].as_str()).unwrap_or_default().to_owned();
    let mut headers = vec![("MCP-Protocol-Version", MODERN), ("Mcp-Method", method)];
    if !name.is_empty() {
        headers.push(("Mcp-Name", &name));
    }
    post_to(service, path, token, &headers, &modern_body(method, params).to_string())
}

pub fn modern_body(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    });
    json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
}

/// A request of the revision that begins with `initialize`.
pub fn legacy(service: &Service, token: &str, method: &str, params: Value) -> Answer {
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
    post(service, Some(token), &[("MCP-Protocol-Version", LEGACY)], &body.to_string())
}

pub fn result(answer: &Answer) -> Value {
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"), "{}", answer.text());
    let body = answer.json();
    assert_eq!((&body["jsonrpc"], &body["id"]), (&json!("2.0"), &json!(7)), "{body}");
    assert!(body["result"].is_object(), "{body}");
    body["result"].clone()
}

/// The result of a tool.
pub fn call(service: &Service, token: &str, tool: &str, arguments: Value) -> Value {
    result(&modern(service, token, "tools/call", json!({"name": tool, "arguments": arguments})))
}

/// The error message of a tool.
pub fn error_text(result: &Value) -> String {
    assert_eq!((&result["isError"], &result["structuredContent"]), (&json!(true), &Value::Null), "{result}");
    assert_eq!(result["content"].as_array().unwrap().len(), 1, "{result}");
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

pub fn tools(service: &Service, token: &str) -> Vec<Value> {
    result(&modern(service, token, "tools/list", json!({})))["tools"].as_array().unwrap().clone()
}

/// Whether a token works for the connector.
pub fn opens(service: &Service, token: &str) -> u16 {
    modern(service, token, "tools/list", json!({})).status
}

/// Status and code of a protocol error.
pub fn error(answer: &Answer) -> (u16, i64) {
    let body = answer.json();
    assert_eq!(body["id"], json!(7), "{body}");
    (answer.status, body["error"]["code"].as_i64().unwrap())
}
