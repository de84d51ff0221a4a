use serde_json::{Value, json};
use testkit::{Answer, Service};

use crate::flow::{ANA, error_of, later, me, scene, send, send_json, signed_in, tokens_of};

const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// An app for devices.
fn register(service: &Service) -> String {
    let metadata =
        json!({"client_name": "Widget", "token_endpoint_auth_method": "none", "grant_types": [GRANT, "refresh_token"]});
    send_json(service, "/oauth/register", &metadata).json()["client_id"].as_str().unwrap().to_owned()
}

fn start(service: &Service, client_id: &str) -> Value {
    let answer = send(service, "/oauth/device_authorization", &[("client_id", client_id)]);
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

fn poll(service: &Service, client_id: &str, started: &Value) -> Answer {
    let device_code = started["device_code"].as_str().unwrap();
    send(service, "/oauth/token", &[("grant_type", GRANT), ("client_id", client_id), ("device_code", device_code)])
}

#[test]
fn a_device_gets_tokens_once_its_code_was_typed_and_allowed() {
    let scene = scene();
    let id = register(&scene);
    let started = start(&scene, &id);
    let code = started["user_code"].as_str().unwrap();
    assert_eq!((started["expires_in"].as_i64(), started["interval"].as_i64(), code.len()), (Some(600), Some(5), 9));
    assert_eq!(error_of(&poll(&scene, &id, &started)), "authorization_pending");
    assert!(scene.ana.get(&format!("/device?code={code}")).text().contains(code), "it is filled in");
    let typed = code.replace('-', " ").to_lowercase();
    let page = scene.ana.fill("/device", "/device", &[("code", &typed)]);
    assert!(
        page.text().contains("Widget") && page.text().contains("Only continue if the code comes from your own device or app")
    );
    assert_eq!(scene.ana.post("/device/decide", &[("code", &typed), ("decision", "allow")]).status, 303);
    let node = scene.second_node(&later(6));
    let tokens = tokens_of(&poll(&node, &id, &started));
    assert_eq!(me(&node, &tokens.access), 200);
    assert_eq!(error_of(&poll(&scene.second_node(&later(20)), &id, &started)), "expired_token", "once");
    assert!(signed_in(&node, ANA).get("/settings/access").text().contains("a device"));
}

#[test]
fn a_device_that_polls_too_fast_is_slowed_down_and_ends_after_ten_minutes() {
    // N38
    let scene = scene();
    let id = register(&scene);
    let started = start(&scene, &id);
    assert_eq!(error_of(&poll(&scene, &id, &started)), "authorization_pending");
    assert_eq!(error_of(&poll(&scene.second_node(&later(4)), &id, &started)), "slow_down");
    assert_eq!(error_of(&poll(&scene.second_node(&later(11)), &id, &started)), "slow_down", "ten seconds now, and seven passed");
    assert_eq!(error_of(&poll(&scene.second_node(&later(27)), &id, &started)), "authorization_pending");
    assert_eq!(error_of(&poll(&scene.second_node(&later(601)), &id, &started)), "expired_token");
}

#[test]
fn a_denied_device_stays_denied() {
    let scene = scene();
    let id = register(&scene);
    let started = start(&scene, &id);
    let code = started["user_code"].as_str().unwrap();
    scene.ana.fill("/device", "/device", &[("code", code)]);
    assert_eq!(scene.ana.post("/device/decide", &[("code", code), ("decision", "deny")]).status, 303);
    assert_eq!(error_of(&poll(&scene, &id, &started)), "access_denied");
    let repeated = scene.ana.post("/device/decide", &[("code", code), ("decision", "allow")]);
    assert!(repeated.status == 409 && repeated.text().contains("Already answered"), "the same form");
    assert_eq!(scene.ana.fill("/device", "/device/decide", &[("code", code), ("decision", "allow")]).status, 403, "without one");
    assert_eq!(scene.ana.fill("/device", "/device", &[("code", code)]).status, 422);
}

#[test]
fn guessing_user_codes_is_rate_limited() {
    // N39
    let scene = scene();
    let id = register(&scene);
    let started = start(&scene, &id);
    scene.ana.get("/device");
    let statuses: Vec<u16> = (0..1_000).map(|_| scene.ana.post("/device", &[("code", "BCDF-GHJK")]).status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 422).count(), 20);
    assert!(statuses[20..].iter().all(|status| *status == 429), "and not one was right");
    let node = scene.second_node(&later(1));
    let ana = signed_in(&node, ANA);
    let code = started["user_code"].as_str().unwrap();
    let looks: Vec<u16> = (0..7).map(|_| ana.fill("/device", "/device", &[("code", code)]).status).collect();
    assert_eq!(looks, [200, 200, 200, 200, 200, 422, 422], "five looks at a code");
}

#[test]
fn only_a_device_app_gets_codes_and_its_page_warns_about_proof() {
    let scene = scene();
    let other = crate::flow::register(&scene, &[crate::flow::REDIRECT]);
    let answer = send(&scene, "/oauth/device_authorization", &[("client_id", &other)]);
    assert_eq!((answer.status, error_of(&answer).as_str()), (400, "unauthorized_client"));
    let id = register(&scene);
    let started = start(&scene, &id);
    let page = scene.ana.fill("/device", "/device", &[("code", started["user_code"].as_str().unwrap())]);
    assert!(page.text().contains("verify that the name is true"));
}

#[test]
fn a_device_is_allowed_only_by_its_own_form_and_a_recent_password() {
    let scene = scene();
    let id = register(&scene);
    let (one, two) = (start(&scene, &id), start(&scene, &id));
    let (one, two) = (one["user_code"].as_str().unwrap(), two["user_code"].as_str().unwrap());
    scene.ana.fill("/device", "/device", &[("code", one)]);
    assert_eq!(scene.ana.post("/device/decide", &[("code", two), ("decision", "allow")]).status, 403, "another code's form");
    let node = scene.second_node(&later(601));
    let old = node.browser();
    old.set_cookie("__Host-s", &scene.ana.cookie("__Host-s").unwrap());
    let next = format!("/confirm?next=%2Fdevice%3Fcode%3D{one}");
    assert_eq!(old.get(&format!("/device?code={one}")).header("location"), next);
    scene.ana.get("/device");
    let fields = [("_token", scene.ana.token()), ("code", one.to_owned()), ("decision", "allow".to_owned())];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    for path in ["/device", "/device/decide"] {
        let asked = old.post_raw(path, &fields, &[("Sec-Fetch-Site", "same-origin")]);
        assert_eq!((asked.status, asked.header("location")), (303, next.as_str()), "{path}");
    }
}
