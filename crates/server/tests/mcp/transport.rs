//! The rules of the protocol over HTTP, independent of the tools.

use serde_json::{Value, json};
use testkit::{Answer, Service};

use crate::talk::{LEGACY, MODERN, error, legacy, modern, modern_body, post, result};

fn start() -> (Service, String) {
    let service = Service::start();
    let token = service.account("ana@example.com", "EUR", None);
    (service, token)
}

fn with(service: &Service, token: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
    post(service, Some(token), headers, &body.to_string())
}

#[test]
fn a_notification_is_accepted_without_an_answer() {
    let (service, token) = start();
    let body = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = with(&service, &token, &[("MCP-Protocol-Version", LEGACY)], &body);
    assert_eq!((answer.status, answer.body.len()), (202, 0));
}

#[test]
fn headers_must_agree_with_the_body() {
    let (service, token) = start();
    let body = modern_body("tools/call", json!({"name": "get_me", "arguments": {}}));
    let good = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/call"), ("Mcp-Name", "get_me")];
    assert_eq!(with(&service, &token, &good, &body).status, 200);
    for left_out in ["Mcp-Method", "Mcp-Name"] {
        let headers: Vec<(&str, &str)> = good.into_iter().filter(|(name, _)| *name != left_out).collect();
        assert_eq!(error(&with(&service, &token, &headers, &body)), (400, -32020), "{left_out}");
    }
    for (name, value) in [("MCP-Protocol-Version", LEGACY), ("Mcp-Method", "tools/list"), ("Mcp-Name", "get_stock")] {
        let headers: Vec<(&str, &str)> = good.iter().map(|pair| if pair.0 == name { (name, value) } else { *pair }).collect();
        assert_eq!(error(&with(&service, &token, &headers, &body)), (400, -32020), "{name}");
    }
    // "get_me"
    let encoded = [good[0], good[1], ("Mcp-Name", "=?base64?Z2V0X21l?=")];
    assert_eq!(with(&service, &token, &encoded, &body).status, 200);
}

#[test]
fn an_unknown_revision_is_refused_with_the_supported_ones() {
    let (service, token) = start();
    let mut body = modern_body("tools/list", json!({}));
    body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let headers = [("MCP-Protocol-Version", "2099-01-01"), ("Mcp-Method", "tools/list")];
    let answer = with(&service, &token, &headers, &body);
    assert_eq!(error(&answer), (400, -32022));
    let supported = &answer.json()["error"]["data"]["supported"];
    assert!([MODERN, LEGACY].iter().all(|version| supported.as_array().unwrap().contains(&json!(version))), "{supported}");
}

#[test]
fn an_unknown_method_is_not_found() {
    let (service, token) = start();
    for method in ["tools/delete", "sampling/createMessage", "x"] {
        assert_eq!(error(&modern(&service, &token, method, json!({}))), (404, -32601), "{method}");
        let earlier = legacy(&service, &token, method, json!({}));
        assert_eq!(error(&earlier).1, -32601, "{method}");
    }
}

#[test]
fn a_request_without_the_required_metadata_is_refused() {
    let (service, token) = start();
    let headers = [("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list")];
    for field in ["protocolVersion", "clientCapabilities"] {
        let mut body = modern_body("tools/list", json!({}));
        body["params"]["_meta"].as_object_mut().unwrap().remove(&format!("io.modelcontextprotocol/{field}"));
        let answer = with(&service, &token, &headers, &body);
        assert_eq!(error(&answer), (400, -32602), "{field}: {}", answer.text());
    }
}

#[test]
fn batched_requests_are_refused() {
    let (service, token) = start();
    let one = modern_body("tools/list", json!({}));
    for body in [json!([one, one]), json!([one]), json!([])] {
        for headers in [vec![("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list")], vec![]] {
            assert_eq!(with(&service, &token, &headers, &body).status, 400, "{body}");
        }
    }
}

#[test]
fn an_invalid_message_is_refused_and_never_an_internal_error() {
    let (service, token) = start();
    for body in [
        "",
        "{",
        "null",
        "7",
        "{}",
        "\u{0}",
        "{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"ping\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":{}}",
    ] {
        let answer = post(&service, Some(&token), &[("MCP-Protocol-Version", MODERN), ("Mcp-Method", "x")], body);
        assert!((400..500).contains(&answer.status), "{body} {}", answer.status);
    }
    let text = [("Content-Type", "text/plain"), ("Authorization", &format!("Bearer {token}"))];
    let answer = testkit::answer::send("POST", &format!("http://{}/mcp", service.address), &text, b"{}");
    assert!((400..500).contains(&answer.status), "{}", answer.status);
}

#[test]
fn an_answer_is_json_and_not_cacheable() {
    let (service, token) = start();
    let answer = modern(&service, &token, "tools/list", json!({}));
    assert_eq!((answer.header("content-type"), answer.header("cache-control")), ("application/json", "no-store"));
    assert_eq!((answer.header("mcp-session-id"), answer.header("access-control-allow-origin")), ("", ""));
}

#[test]
fn errors_have_the_codes_of_the_protocol() {
    let (service, token) = start();
    let asked = [
        ("tools/call", json!({"name": "no_such_tool", "arguments": {}})),
        ("tools/list", json!({"cursor": "x"})),
        ("resources/read", json!({"uri": "dripline://nothing"})),
        ("prompts/get", json!({"name": "nothing"})),
    ];
    for (method, params) in asked {
        let answer = modern(&service, &token, method, params.clone());
        assert_eq!(error(&answer).1, -32602, "{method} {params}: {}", answer.text());
    }
    result(&modern(&service, &token, "tools/list", json!({"cursor": ""})));
}
