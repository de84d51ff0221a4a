use serde_json::{Value, json};
use testkit::answer;

use crate::flow::{REDIRECT, ask, base, error_of, later, request, scene, send_json};

#[test]
fn a_registered_app_gets_an_id() {
    let scene = scene();
    let metadata = json!({
        "client_name": "My app", "redirect_uris": ["http://localhost/callback"], "application_type": "native",
        "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"], "scope": "read", "logo_uri": "https://x.example/l.png"
    });
    let answer = send_json(&scene, "/oauth/register", &metadata);
    assert_eq!((answer.status, answer.header("cache-control")), (201, "no-store"));
    let body = answer.json();
    assert!(!body["client_id"].as_str().unwrap().starts_with("https://"));
    assert_eq!(body["client_secret"], Value::Null);
    assert_eq!(
        (&body["client_name"], &body["token_endpoint_auth_method"], &body["application_type"]),
        (&json!("My app"), &json!("none"), &json!("native"))
    );
    assert_eq!(body["redirect_uris"], json!(["http://localhost/callback"]));
}

#[test]
fn an_invalid_app_registration_is_refused() {
    // N3, N34
    let scene = scene();
    let many: Vec<String> = (0..11).map(|number| format!("https://a.example/{number}")).collect();
    let with = |name: &str, value: Value| {
        let mut metadata = json!({"client_name": "x", "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none"});
        metadata[name] = value;
        metadata
    };
    for (metadata, error) in [
        (with("redirect_uris", json!(["http://evil.example/cb"])), "invalid_redirect_uri"),
        (with("redirect_uris", json!(["javascript:alert(1)"])), "invalid_redirect_uri"),
        (with("redirect_uris", json!(["data:text/html,x"])), "invalid_redirect_uri"),
        (with("redirect_uris", json!(["file:///etc/passwd"])), "invalid_redirect_uri"),
        (with("redirect_uris", json!(["https://ok.example/cb#x"])), "invalid_redirect_uri"),
        (with("redirect_uris", json!(many)), "invalid_redirect_uri"),
        (with("redirect_uris", json!([])), "invalid_redirect_uri"),
        (with("redirect_uris", json!("https://a.example")), "invalid_client_metadata"),
        (with("redirect_uris", json!([1])), "invalid_client_metadata"),
        (with("client_secret", json!("mine")), "invalid_client_metadata"),
        (with("token_endpoint_auth_method", json!("private_key_jwt")), "invalid_client_metadata"),
        (with("grant_types", json!(["password"])), "invalid_client_metadata"),
        (with("response_types", json!(["token"])), "invalid_client_metadata"),
        (with("scope", json!("read admin")), "invalid_client_metadata"),
        (with("application_type", json!("other")), "invalid_client_metadata"),
        (
            json!({"redirect_uris": [REDIRECT], "application_type": "native", "token_endpoint_auth_method": "client_secret_post"}),
            "invalid_client_metadata",
        ),
        (json!([]), "invalid_client_metadata"),
    ] {
        let answer = send_json(&scene, "/oauth/register", &metadata);
        assert_eq!((answer.status, error_of(&answer).as_str()), (400, error), "{metadata}");
    }
    let url = format!("{}/oauth/register", base(&scene));
    for bytes in [9 << 10, 1 << 20] {
        let large = answer::send("POST", &url, &[("Content-Type", "application/json")], &vec![b' '; bytes]);
        assert_eq!(large.status, 413);
    }
}

#[test]
fn registrations_are_limited_to_ten() {
    // N35
    let scene = scene();
    let metadata = json!({"redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none"});
    let before = scene.bytes_stored();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let eighth = || (0..1_250).map(|_| send_json(&scene, "/oauth/register", &metadata).status).collect::<Vec<_>>();
        let sent: Vec<_> = (0..8).map(|_| scope.spawn(eighth)).collect();
        sent.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    assert_eq!((statuses.len(), statuses.iter().filter(|status| **status == 201).count()), (10_000, 10));
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 9_990);
    assert!(scene.bytes_stored().saturating_sub(before) < 1 << 20, "{before} to {}", scene.bytes_stored());
    let refused = send_json(&scene, "/oauth/register", &metadata);
    assert!((1..=3600).contains(&refused.header("retry-after").parse::<u32>().unwrap()));
}

#[test]
fn a_registered_app_without_a_grant_is_forgotten_after_a_day() {
    let scene = scene();
    let id = crate::flow::register(&scene, &[REDIRECT]);
    let used = crate::flow::register(&scene, &[REDIRECT]);
    crate::flow::code(&scene, &used, &[]);
    let node = scene.second_node(&later(86_401));
    crate::flow::register(&node, &[REDIRECT]);
    let ana = crate::flow::signed_in(&node, crate::flow::ANA);
    assert_eq!(ask(&ana, &request(&id, &[])).status, 400);
    assert_eq!(ask(&ana, &request(&used, &[])).status, 200);
}
