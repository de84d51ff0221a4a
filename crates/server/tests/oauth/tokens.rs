use crate::flow::{REDIRECT, base, code, connect, register, scene};

#[test]
fn without_a_token_the_challenge_names_the_authorization_server() {
    // N20
    let scene = scene();
    let answer = scene.get("/api/v1/me", None);
    let challenge =
        format!("Bearer resource_metadata=\"{}/.well-known/oauth-protected-resource/api/v1\", scope=\"read\"", base(&scene));
    assert_eq!((answer.status, answer.error_code().as_str()), (401, "unauthorized"));
    assert_eq!(answer.header("www-authenticate"), challenge);
}

#[test]
fn every_invalid_token_gets_the_same_answer() {
    // N21, N24
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let tokens = connect(&scene, &id, &[]);
    let spare = code(&scene, &id, &[]);
    let expired = scene.expiring_token(crate::flow::ANA, "2020-01-01T00:00:00Z");
    let cut = &tokens.access[..tokens.access.len() - 1];
    let bad_sum = format!("{cut}!");
    let mut bodies = Vec::new();
    for token in ["garbage", cut, &bad_sum, &expired, &tokens.refresh, &spare, "drip_ocs_abc"] {
        let answer = scene.request("GET", "/api/v1/me", None, &[("Authorization", &format!("Bearer {token}"))]);
        assert_eq!(answer.status, 401, "{token}");
        assert!(answer.header("www-authenticate").ends_with("error=\"invalid_token\""), "{token}");
        bodies.push(answer.text());
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1);
}

#[test]
fn a_token_is_read_from_the_header_only() {
    // N22, N23
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let tokens = connect(&scene, &id, &[]);
    assert_eq!(scene.get(&format!("/api/v1/me?access_token={}", tokens.access), None).status, 401);
    let bearer = format!("Bearer {}", tokens.access);
    let twice = scene.request("GET", "/api/v1/me", None, &[("Authorization", &bearer), ("Authorization", &bearer)]);
    assert!([400, 401].contains(&twice.status));
    assert_eq!(scene.request("GET", "/api/v1/me", None, &[("Authorization", "Basic YTpi")]).status, 401);
    let lower = format!("bearer {}", tokens.access);
    assert_eq!(scene.request("GET", "/api/v1/me", None, &[("Authorization", &lower)]).status, 200);
}

#[test]
fn a_token_for_the_connector_does_not_work_for_the_api() {
    // N25
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let mcp = format!("{}/mcp", base(&scene));
    let tokens = connect(&scene, &id, &[("resource", &mcp)]);
    let answer = scene.get("/api/v1/me", Some(&tokens.access));
    assert_eq!(answer.status, 401);
    assert!(answer.header("www-authenticate").contains("error=\"invalid_token\""));
    let anonymous = scene.get("/api/v1/calendar", Some(&tokens.access));
    assert!(anonymous.headers.contains_key("ratelimit"), "on a public endpoint it counts as none");
}
