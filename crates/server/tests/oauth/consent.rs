use app::oauth::grants;
use serde_json::json;

use crate::flow::{ANA, BOB, REDIRECT, ask, decide, register, request, scene, send_json, sent_to, signed_in};

#[test]
fn the_page_says_who_asks_and_where_the_answer_goes() {
    // N32
    let scene = scene();
    let long = "x".repeat(10_000 / 2);
    for (name, shown) in [
        ("<script>alert(1)</script>".to_owned(), "&#60;script&#62;alert(1)&#60;/script&#62;".to_owned()),
        ("Good\u{202e}App".to_owned(), "GoodApp".to_owned()),
        (long, format!("{}…", "x".repeat(80))),
        ("Dividend Service Official".to_owned(), "Dividend Service Official".to_owned()),
    ] {
        let said = json!({"client_name": name, "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none"});
        let made = send_json(&scene, "/oauth/register", &said);
        let id = made.json()["client_id"].as_str().unwrap().to_owned();
        let page = ask(&scene.ana, &request(&id, &[])).text();
        assert!(page.contains(&shown), "{shown}");
        assert!(!page.contains("<script>alert"));
        assert!(!page.contains('\u{202e}') && !page.contains(&"x".repeat(81)));
        assert!(page.contains("app.example") && page.contains("nobody has verified the name") && page.contains(ANA));
    }
}

#[test]
fn a_program_on_the_users_machine_is_warned_about() {
    let scene = scene();
    let id = register(&scene, &["http://127.0.0.1/cb", "com.example.app:/cb"]);
    let at = |uri| ask(&scene.ana, &request(&id, &[("redirect_uri", uri)]));
    assert!(at("http://127.0.0.1:5000/cb").text().contains("a program on the machine you sit at"));
    assert!(at("com.example.app:/cb").text().contains("an app on this device"));
}

#[test]
fn the_policy_lets_the_answer_through_to_the_app_and_on_from_there() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT, "http://127.0.0.1/cb", "http://[::1]/cb", "com.example.app:/cb"]);
    for (uri, allowed) in [
        (REDIRECT, "https://app.example https:"),
        ("http://127.0.0.1:5000/cb", "http://127.0.0.1:5000 http://127.0.0.1:* http://localhost:* https:"),
        ("http://[::1]:5000/cb", "http: https:"),
        ("com.example.app:/cb", "com.example.app: https:"),
    ] {
        let policy = ask(&scene.ana, &request(&id, &[("redirect_uri", uri)])).header("content-security-policy").to_owned();
        assert!(policy.ends_with(&format!("form-action 'self' {allowed}")), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"));
    }
}

#[test]
fn only_the_form_of_the_page_that_was_seen_can_allow() {
    // N40, N43
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let asked = request(&id, &[]);
    let fields = [("request", asked.as_str()), ("decision", "allow")];
    assert_eq!(ask(&scene.ana, &asked).status, 200);
    let from_here = [("Sec-Fetch-Site", "same-origin")];
    assert_eq!(scene.ana.post_raw("/oauth/consent", &fields, &from_here).status, 403, "without its token");
    let bob = signed_in(&scene, BOB);
    ask(&bob, &asked);
    let foreign = [("_token", bob.token()), fields_owned(fields[0]), fields_owned(fields[1])];
    let foreign: Vec<(&str, &str)> = foreign.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(scene.ana.post_raw("/oauth/consent", &foreign, &from_here).status, 403, "with another session's");
    let own = [("_token", scene.ana.token()), fields_owned(fields[0]), fields_owned(fields[1])];
    let own: Vec<(&str, &str)> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(scene.ana.post_raw("/oauth/consent", &own, &[("Sec-Fetch-Site", "cross-site")]).status, 403, "from elsewhere");
    let by_get = scene.ana.get(&format!("/oauth/consent?{asked}&decision=allow"));
    assert_eq!((by_get.status, by_get.header("allow")), (405, "POST, OPTIONS"));
    assert!(scene.run(grants::list(&scene.app, scene.user_id(ANA))).unwrap().is_empty());
    assert_eq!(scene.ana.post_raw("/oauth/consent", &own, &from_here).status, 303, "and this one does");
}

#[test]
fn whoever_signed_out_or_in_as_another_meanwhile_allows_nothing() {
    // N43
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    let asked = request(&id, &[]);
    ask(&scene.ana, &asked);
    let before = scene.ana.token();
    scene.ana.post("/sign-out", &[]);
    let fields = [("_token", before.as_str()), ("request", asked.as_str()), ("decision", "allow")];
    let answer = scene.ana.post_raw("/oauth/consent", &fields, &[("Sec-Fetch-Site", "same-origin")]);
    assert!(answer.status == 403 || answer.header("location").starts_with("/sign-in"), "{}", answer.status);
    scene.ana.sign_in(BOB, crate::flow::PASSWORD);
    assert_eq!(scene.ana.post_raw("/oauth/consent", &fields, &[("Sec-Fetch-Site", "same-origin")]).status, 403);
    for email in [ANA, BOB] {
        assert!(scene.run(grants::list(&scene.app, scene.user_id(email))).unwrap().is_empty());
    }
}

#[test]
fn the_request_is_checked_again_with_the_answer() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    ask(&scene.ana, &request(&id, &[]));
    let forged = request(&id, &[("redirect_uri", "https://evil.example/cb")]);
    let answer = scene.ana.post("/oauth/consent", &[("request", &forged), ("decision", "allow")]);
    assert_eq!((answer.status, answer.header("location")), (400, ""));
}

#[test]
fn what_was_allowed_before_is_said() {
    let scene = scene();
    let id = register(&scene, &[REDIRECT]);
    assert!(!ask(&scene.ana, &request(&id, &[])).text().contains("You allowed this app the same before"));
    sent_to(&decide(&scene.ana, &request(&id, &[]), "allow"));
    assert!(ask(&scene.ana, &request(&id, &[])).text().contains("You allowed this app the same before"));
}

fn fields_owned<'a>((name, value): (&'a str, &str)) -> (&'a str, String) {
    (name, value.to_owned())
}
