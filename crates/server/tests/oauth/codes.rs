use testkit::answer;

use crate::flow::{
    ANA, REDIRECT, VERIFIER, base, code, error_of, exchange, later, me, refresh, register, scene, send, send_with, tokens_of,
};

#[test]
fn a_code_is_exchanged_for_tokens_that_work_for_the_api() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let answer = exchange(&scene, &id, &code(&scene, &id, &[]), &[]);
    assert_eq!((answer.header("cache-control"), answer.header("content-type")), ("no-store", "application/json"));
    let body = answer.json();
    assert_eq!(
        (body["token_type"].as_str(), body["expires_in"].as_i64(), body["scope"].as_str()),
        (Some("Bearer"), Some(3600), Some("read"))
    );
    let tokens = tokens_of(&answer);
    assert!(tokens.access.starts_with("drip_oat_") && tokens.refresh.starts_with("drip_ort_"));
    let mine = scene.get("/api/v1/me", Some(&tokens.access));
    assert_eq!((mine.status, mine.json()["email"].as_str()), (200, Some(ANA)));
}

#[test]
fn a_wrong_verifier_is_refused_and_does_not_use_up_the_code() {
    // N7–N9
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let code = code(&scene, &id, &[]);
    let long = "a".repeat(129);
    for (verifier, error) in [
        ("", "invalid_request"),
        ("another-verifier-of-forty-three-characters-xx", "invalid_grant"),
        (&VERIFIER[..42], "invalid_request"),
        (&long, "invalid_request"),
        ("a-verifier-of-more-than-forty-three-chars-and-ü", "invalid_request"),
        ("a verifier of more than forty three characters", "invalid_request"),
    ] {
        let answer = exchange(&scene, &id, &code, &[("code_verifier", verifier)]);
        assert_eq!((answer.status, error_of(&answer).as_str()), (400, error), "{verifier}");
    }
    tokens_of(&exchange(&scene, &id, &code, &[]));
}

#[test]
fn using_a_code_again_revokes_its_tokens() {
    // N10
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let code = code(&scene, &id, &[]);
    let tokens = tokens_of(&exchange(&scene, &id, &code, &[]));
    assert_eq!(me(&scene, &tokens.access), 200);
    let again = exchange(&scene, &id, &code, &[]);
    assert_eq!((again.status, error_of(&again).as_str()), (400, "invalid_grant"));
    assert_eq!(me(&scene, &tokens.access), 401);
    assert_eq!(error_of(&refresh(&scene, &id, &tokens.refresh, &[])), "invalid_grant");
    let activity = scene.run(app::accounts::audit::list(&scene.app, scene.user_id(ANA), 5)).unwrap();
    assert!(activity.iter().any(|row| row.event == "token_reused"));
}

#[test]
fn a_code_is_bound_to_one_app_one_redirect_and_one_minute() {
    // N11
    let scene = scene();
    let (id, other) = (register(&scene, &[REDIRECT, "https://app.example/two"]), register(&scene, &[REDIRECT]));
    let code = code(&scene, &id, &[]);
    let refused = |answer: testkit::Answer| assert_eq!((answer.status, error_of(&answer).as_str()), (400, "invalid_grant"));
    refused(exchange(&scene, &other, &code, &[]));
    refused(exchange(&scene, &id, &code, &[("redirect_uri", "https://app.example/two")]));
    refused(exchange(&scene.second_node(&later(61)), &id, &code, &[]));
    tokens_of(&exchange(&scene.second_node(&later(59)), &id, &code, &[]));
}

#[test]
fn only_one_of_thirty_two_simultaneous_exchanges_of_a_code_succeeds() {
    // N41
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    for _ in 0..testkit::tries(20, 100) {
        let code = code(&scene, &id, &[]);
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let sent: Vec<_> = (0..32).map(|_| scope.spawn(|| exchange(&scene, &id, &code, &[]).status)).collect();
            sent.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
        assert!(statuses.iter().all(|status| [200, 400].contains(status)), "{statuses:?}");
    }
}

#[test]
fn the_token_endpoint_accepts_forms_only() {
    // N15–N17
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let code = code(&scene, &id, &[]);
    let url = format!("{}/oauth/token", base(&scene));
    let json =
        format!(r#"{{"grant_type":"authorization_code","client_id":"{id}","code":"{code}","code_verifier":"{VERIFIER}"}}"#);
    let as_json = answer::send("POST", &url, &[("Content-Type", "application/json")], json.as_bytes());
    assert_eq!((as_json.status, error_of(&as_json).as_str()), (400, "invalid_request"));
    assert_eq!(answer::send("GET", &url, &[], &[]).status, 405);
    let in_query = send(&scene, &format!("/oauth/token?grant_type=authorization_code&client_id={id}&code={code}"), &[("x", "y")]);
    assert_eq!((in_query.status, error_of(&in_query).as_str()), (400, "invalid_request"));
    for twice in [[("code", code.as_str()), ("code", &code)], [("client_id", &id), ("client_id", &id)]] {
        let answer = exchange(&scene, &id, &code, &twice);
        assert_eq!((answer.status, error_of(&answer).as_str()), (400, "invalid_request"));
    }
    for grant in ["password", "client_credentials", "implicit", "x"] {
        let answer =
            send(&scene, "/oauth/token", &[("grant_type", grant), ("client_id", &id), ("username", "a"), ("password", "b")]);
        assert_eq!((answer.status, error_of(&answer).as_str()), (400, "unsupported_grant_type"), "{grant}");
    }
    tokens_of(&exchange(&scene, &id, &code, &[]));
}

#[test]
fn an_app_with_a_secret_must_present_it() {
    let scene = scene();
    let metadata = serde_json::json!({"client_name": "Server", "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "client_secret_basic"});
    let made = crate::flow::send_json(&scene, "/oauth/register", &metadata).json();
    let (id, secret) = (made["client_id"].as_str().unwrap(), made["client_secret"].as_str().unwrap());
    assert!(secret.starts_with("drip_ocs_"));
    let code = code(&scene, id, &[]);
    let without = exchange(&scene, id, &code, &[]);
    assert_eq!((without.status, error_of(&without).as_str()), (401, "invalid_client"));
    let wrong = exchange(&scene, id, &code, &[("client_secret", "drip_ocs_wrong")]);
    assert_eq!((wrong.status, error_of(&wrong).as_str()), (401, "invalid_client"));
    let fields = [("grant_type", "authorization_code"), ("code", &code), ("code_verifier", VERIFIER)];
    let basic = |pair: &str| format!("Basic {}", base64::Engine::encode(&base64::prelude::BASE64_STANDARD, pair));
    let both = [("client_secret", secret), fields[0], fields[1], fields[2]];
    let right = basic(&format!("{id}:{secret}"));
    assert_eq!(send_with(&scene, "/oauth/token", &both, &[("Authorization", &right)]).status, 400, "in two ways");
    assert_eq!(send_with(&scene, "/oauth/token", &fields, &[("Authorization", &basic(&format!("{id}:x")))]).status, 401);
    tokens_of(&send_with(&scene, "/oauth/token", &fields, &[("Authorization", &right)]));
}
