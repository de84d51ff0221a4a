//! Who may use the connector, and how others are refused.

use serde_json::json;
use testkit::Service;

use crate::flow::{REDIRECT, base, connect, me, register, scene};
use crate::talk::{modern, modern_body, opens, post};

const ANA: &str = "ana@example.com";

#[test]
fn the_connector_accepts_only_post() {
    let service = Service::start();
    let token = service.account(ANA, "EUR", None);
    for method in ["GET", "DELETE", "PUT", "HEAD"] {
        for token in [None, Some(token.as_str())] {
            let answer = service.request(method, "/mcp", token, &[]);
            assert_eq!((answer.status, answer.header("allow")), (405, "POST, OPTIONS"), "{method}");
        }
    }
    let preflight = [("Origin", "https://a.example"), ("Access-Control-Request-Method", "POST")];
    let answer = service.request("OPTIONS", "/mcp", None, &preflight);
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (204, ""), "no page of another site calls it");
}

#[test]
fn requests_from_other_sites_are_refused() {
    // The Host is right, the Origin is not.
    let service = Service::start();
    let token = service.account(ANA, "EUR", None);
    let body = modern_body("tools/list", json!({})).to_string();
    let modern = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/list")];
    let from = |origin: &str| {
        let headers: Vec<(&str, &str)> = modern.into_iter().chain([("Origin", origin)]).collect();
        post(&service, Some(&token), &headers, &body)
    };
    let own = base(&service);
    let longer = format!("{own}.evil.example");
    let other_port = format!("http://{}:1", service.address.ip());
    for origin in ["https://evil.example", "null", "", longer.as_str(), other_port.as_str()] {
        let answer = from(origin);
        assert_eq!((answer.status, answer.error_code().as_str()), (403, "forbidden"), "{origin}");
    }
    assert_eq!(from(&own).status, 200);
    let stranger = post(&service, None, &[("Origin", "https://evil.example")], &body);
    assert_eq!(stranger.status, 403, "with or without a token");
}

#[test]
fn without_a_token_the_challenge_names_the_authorization_server() {
    let service = Service::start();
    let body = modern_body("tools/list", json!({})).to_string();
    let missing = post(&service, None, &[], &body);
    let challenge =
        format!("Bearer resource_metadata=\"{}/.well-known/oauth-protected-resource/mcp\", scope=\"read\"", base(&service));
    assert_eq!((missing.status, missing.error_code().as_str()), (401, "unauthorized"));
    assert_eq!(missing.header("www-authenticate"), challenge);
    for bad in ["Bearer garbage", "Bearer drip_pat_x", "Basic YTpi", "Bearer", "Bearer a b"] {
        let answer = post(&service, None, &[("Authorization", bad)], &body);
        assert_eq!((answer.status, answer.text()), (401, missing.text()), "{bad}");
        assert_eq!(answer.header("www-authenticate"), format!("{challenge}, error=\"invalid_token\""), "{bad}");
    }
    let in_the_address = testkit::answer::send("POST", &format!("{}/mcp?access_token=x", base(&service)), &[], b"{}");
    assert_eq!(in_the_address.header("www-authenticate"), challenge, "a token in an address is none");
}

#[test]
fn an_apps_token_works_for_its_audience_only() {
    // N25
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let mcp = connect(&scene, &id, &[("resource", &format!("{}/mcp", base(&scene)))]);
    let api = connect(&scene, &id, &[("resource", &format!("{}/api/v1", base(&scene)))]);
    let unsaid = connect(&scene, &id, &[]);
    assert_eq!((opens(&scene, &mcp.access), me(&scene, &mcp.access)), (200, 401));
    assert_eq!((opens(&scene, &api.access), me(&scene, &api.access)), (401, 200));
    assert_eq!((opens(&scene, &unsaid.access), me(&scene, &unsaid.access)), (401, 200));
    let refused = modern(&scene, &api.access, "tools/list", json!({}));
    assert!(refused.header("www-authenticate").ends_with("error=\"invalid_token\""));
    assert_eq!(opens(&scene, &mcp.refresh), 401);
}
