use testkit::Answer;

use crate::flow::{Pairs, REDIRECT, Scene, ask, base, decide, register, request, scene, sent_to};

/// Asserts an error page without a redirect.
fn assert_shown_to_user(answer: &Answer) {
    assert_eq!((answer.status, answer.header("location")), (400, ""), "{}", answer.text());
    assert!(answer.header("content-type").starts_with("text/html"));
    assert!(answer.header("content-security-policy").contains("frame-ancestors 'none'"));
}

/// Asserts a redirect to the app with an error.
fn assert_sent_to_app(scene: &Scene, answer: &Answer, error: &str) {
    let (to, answered) = sent_to(answer);
    assert_eq!(to, REDIRECT);
    let text = |name: &str| answered.get(name).map(String::as_str).unwrap_or_default();
    // N28: every answer says whose it is, and has the state unchanged.
    assert_eq!((text("error"), text("state"), text("iss")), (error, "s-1", base(scene).as_str()));
    assert!(!answered.contains_key("code"));
}

#[test]
fn an_unknown_app_gets_no_redirect() {
    // N1
    let scene = scene();
    assert_shown_to_user(&ask(&scene.ana, &request("nobody", &[])));
    assert_shown_to_user(&ask(&scene.ana, &request("", &[("client_id", "")])));
}

#[test]
fn an_unregistered_redirect_address_gets_no_redirect() {
    // N2
    let scene = scene();
    let id = register(&scene, &["https://ok.example/cb"]);
    for other in [
        "https://OK.example/cb",
        "https://ok.example/cb/",
        "https://ok.example/cb?x=1",
        "https://ok.example/%2e/cb",
        "https://ok@evil.example/cb",
        "https://ok.example\\@evil.example/cb",
        "https://sub.ok.example/cb",
        "https://ok.example.evil/cb",
        // N3
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "http://ok.example/cb",
        "https://ok.example/cb#x",
    ] {
        assert_shown_to_user(&ask(&scene.ana, &request(&id, &[("redirect_uri", other)])));
    }
    assert_eq!(ask(&scene.ana, &request(&id, &[("redirect_uri", "https://ok.example/cb")])).status, 200);
}

#[test]
fn only_the_port_of_a_loopback_address_may_differ() {
    // N12–N14
    let scene = scene();
    let id = register(&scene, &["http://127.0.0.1/cb", "http://localhost/callback", "http://127.0.0.1/callback"]);
    for fine in ["http://127.0.0.1:49152/cb", "http://localhost:57470/callback", "http://127.0.0.1:1/callback"] {
        assert_eq!(ask(&scene.ana, &request(&id, &[("redirect_uri", fine)])).status, 200, "{fine}");
    }
    for other in [
        "http://127.0.0.1:49152/other",
        "http://127.0.0.2:49152/cb",
        "http://localhost.evil/callback",
        "https://127.0.0.1:49152/cb",
        "http://localhost:49152/cb",
    ] {
        assert_shown_to_user(&ask(&scene.ana, &request(&id, &[("redirect_uri", other)])));
    }
}

#[test]
fn missing_or_weak_parameters_are_reported_to_the_app() {
    // N4–N6, N15, N26, N27
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let cases: [(Pairs<'_>, &str); 15] = [
        (&[("response_type", "token")], "unsupported_response_type"),
        (&[("response_type", "id_token")], "unsupported_response_type"),
        (&[("response_type", "")], "invalid_request"),
        (&[("code_challenge", "")], "invalid_request"),
        (&[("code_challenge", "short")], "invalid_request"),
        (&[("code_challenge_method", "plain")], "invalid_request"),
        (&[("code_challenge_method", "")], "invalid_request"),
        (&[("scope", "read"), ("scope", "write")], "invalid_request"),
        (&[("state", "s-1"), ("state", "s-1")], "invalid_request"),
        (&[("scope", "write")], "invalid_scope"),
        (&[("resource", "https://evil.example")], "invalid_target"),
        (&[("resource", "/mcp")], "invalid_target"),
        (&[("resource", "https://evil.example/#x")], "invalid_target"),
        (&[("resource", "x"), ("resource", "y")], "invalid_request"),
        (&[("code_challenge_method", "S256"), ("code_challenge_method", "S256")], "invalid_request"),
    ];
    for (other, error) in cases {
        assert_sent_to_app(&scene, &ask(&scene.ana, &request(&id, other)), error);
    }
    for twice in
        [[("client_id", id.as_str()), ("client_id", id.as_str())], [("redirect_uri", REDIRECT), ("redirect_uri", REDIRECT)]]
    {
        assert_shown_to_user(&ask(&scene.ana, &request(&id, &twice)));
    }
    let unknown = ask(&scene.ana, &request(&id, &[("display", "popup"), ("nonce", "x")]));
    assert_eq!(unknown.status, 200, "a parameter that nobody knows is ignored");
}

#[test]
fn the_redirect_has_code_state_and_issuer_once_each() {
    // N28
    let scene = scene();
    let id = register(&scene, &["https://app.example/cb?keep=1&x=%20"]);
    let asked = request(&id, &[("redirect_uri", "https://app.example/cb?keep=1&x=%20"), ("state", "a b&c=ä")]);
    let answer = decide(&scene.ana, &asked, "allow");
    assert!(answer.header("location").starts_with("https://app.example/cb?keep=1&x=%20&code="), "{}", answer.header("location"));
    assert_eq!(answer.header("cache-control"), "no-store");
    let (_, answered) = sent_to(&answer);
    assert_eq!((answered["state"].as_str(), answered["iss"].as_str()), ("a b&c=ä", base(&scene).as_str()));
    assert!(answered["code"].len() >= 43);
    let denied = decide(&scene.ana, &asked, "deny");
    let (_, answered) = sent_to(&denied);
    assert_eq!((answered["error"].as_str(), answered["state"].as_str()), ("access_denied", "a b&c=ä"));
}

#[test]
fn consent_is_asked_for_after_signing_in() {
    // N44: 303, never 307 or 308.
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let stranger = scene.browser();
    let asked = request(&id, &[]);
    let answer = ask(&stranger, &asked);
    assert_eq!(answer.status, 303);
    assert!(answer.header("location").starts_with("/sign-in?next=%2Foauth%2Fauthorize%3F"), "{}", answer.header("location"));
    let next = format!("/oauth/authorize?{asked}");
    stranger.get(answer.header("location"));
    let signed = stranger.post("/sign-in", &[("email", crate::flow::BOB), ("password", crate::flow::PASSWORD), ("next", &next)]);
    assert_eq!((signed.status, signed.header("location")), (303, next.as_str()));
    assert_eq!(stranger.get(&next).status, 200);
}

#[test]
fn an_invalid_request_is_answered_before_signing_in() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let stranger = scene.browser();
    let answer = ask(&stranger, &request(&id, &[("scope", "write")]));
    assert_shown_to_user(&answer);
    assert!(answer.text().contains("https://app.example/cb?error=invalid_scope"), "there is a way back: {}", answer.text());
    assert_shown_to_user(&ask(&stranger, &request("nobody", &[])));
}

#[test]
fn no_other_site_can_read_the_consent_page() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let answer = ask(&scene.ana, &request(&id, &[]));
    assert_eq!(answer.header("access-control-allow-origin"), "");
    let options = scene.request("OPTIONS", "/oauth/authorize", None, &[("Origin", "https://evil.example")]);
    assert_eq!(options.header("access-control-allow-origin"), "");
}
